"""What a store of runs says: tables and plots as a page, for papers, and for the terminal.

`cases` groups runs by question, `statistics` compares routes on them, `tables` says it in rows and columns.
`page`, `latex`, `terminal` and `figures` each write that in one form and compute nothing.
"""

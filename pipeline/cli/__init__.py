"""The command line: options, texts, tables and exit codes; the one room that knows typer and rich."""

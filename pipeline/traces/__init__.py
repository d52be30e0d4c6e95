"""What a counterexample is written as, beside its plain JSON: a page, and the ITF format."""

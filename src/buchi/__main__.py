"""`python -m buchi` is the command `buchi`."""

from buchi.pipeline.cli import main

if __name__ == "__main__":
    main()

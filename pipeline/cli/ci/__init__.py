"""Verdicts for servers that build and test: JUnit, SARIF, annotations of GitHub. Names may be anything."""

"""Certificates: evidence for `holds` that others can check. See docs/certificates.md."""

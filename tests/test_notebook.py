"""The notebook runs from its first cell to its last, as it does for a reader."""

from __future__ import annotations

import pytest
from runner import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

TOUR = ROOT / "examples" / "tour.ipynb"
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the machinery that runs notebooks


def shown(cell) -> dict:
    """Return what a cell displays, by the type of its content."""
    return {kind: text for output in cell.outputs for kind, text in output.get("data", {}).items()}


def test_the_tour_runs_and_shows_results():
    notebook = nbformat.read(TOUR, as_version=4)
    nbformat.validate(notebook)
    kernel = nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(TOUR.parent)}}
    )
    kernel.execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    pages = [shown(cell).get("text/html", "") for cell in code]
    assert any(">holds</b>" in page for page in pages)
    assert any("the cycle begins in state" in page for page in pages)
    assert any("routes" in page and "<th>checker</th>" in page for page in pages)
    assert any("unknown (states)" in page for page in pages)
    printed = "".join(output.get("text", "") for cell in code for output in cell.outputs)
    assert "did you mean critical?" in printed
    assert "Warning" not in printed


def test_it_is_kept_without_outputs():
    notebook = nbformat.read(TOUR, as_version=4)
    assert not [cell for cell in notebook.cells if cell.get("outputs") or cell.get("execution_count")]

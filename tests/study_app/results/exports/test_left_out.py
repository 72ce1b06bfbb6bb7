"""What an export contains about people whose data are not exported."""

import pytest

from tests.study_app.results.exports import whole_study


@pytest.fixture(scope="module")
def everything(exported):
    """Names and bytes of all files, in one."""
    files = [p for p in exported.folder.rglob("*") if p.is_file()]
    return b"\n".join(str(p.name).encode() + b"\n" + p.read_bytes() for p in files)


@pytest.mark.parametrize("code", [whole_study.WITHDRAWN, whole_study.TRYOUT])
def test_who_withdrew_or_tried_out_is_nowhere(everything, code):
    assert code.encode() not in everything


def test_that_somebody_withdrew_is_said(exported):
    (row,) = exported.rows("data/description-withdrawals_data.csv")
    assert (row["task_id"], row["by"]) == ("Similarity", "participant")
    assert row["at"].endswith("Z")
    assert "1 sitting was withdrawn and is absent" in _readme(exported)


def _readme(exported):
    return (exported.folder / "README.md").read_text("utf-8")

"""Withdrawals, deletions and exclusions in an export."""

import json

import pytest

from study_app.core.database import writing
from study_app.models import Sitting
from study_app.participation.people import exclusion
from study_app.studies import studies
from study_app.studies.people import rules
from tests.export_fixtures import read_rows, write_export
from tests.study_app.judged import make_set, sort_set
from tests.study_app.results.exports import whole_study


@pytest.fixture(scope="module")
def everything(exported):
    """Names and bytes of all files, in one."""
    files = [p for p in exported.folder.rglob("*") if p.is_file()]
    return b"\n".join(str(p.name).encode() + b"\n" + p.read_bytes() for p in files)


@pytest.mark.parametrize("code", [whole_study.WITHDRAWN, whole_study.TRYOUT])
def test_withdrawn_participants_and_try_outs_are_not_exported(everything, code):
    assert code.encode() not in everything


def test_withdrawals_are_listed(exported):
    (row,) = exported.rows("data/description-withdrawals_data.csv")
    assert (row["task_id"], row["by"]) == ("Similarity", "participant")
    assert row["at"].endswith("Z")
    assert "1 sitting was withdrawn and not included" in _readme(exported)


def test_every_result_is_counted_without_and_with_excluded_people(app, study_id, tmp_path):
    with app.app_context(), writing() as session:
        letters = make_set(session, study_id, "letters", "abcd")
        sort_set(session, letters, [[0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 1]])
        rule = rules.set_rule(session, studies.get(session, study_id), "same_answer", 90)
        session.flush()
        last = session.query(Sitting).order_by(Sitting.id.desc()).first()
        what = exclusion.Excluded(sitting_id=last.id)
        exclusion.exclude(session, study_id, what, exclusion.ByRule(rule.id, 95.004))
    folder = write_export(app, study_id, tmp_path / "export")
    (counted,) = folder.rglob("included.json")
    assert json.loads(counted.read_text("utf-8")) == {
        "people": 2,
        "people_with_excluded": 3,
        "trials": 2,
        "trials_with_excluded": 3,
    }
    assert "2 (3 with those excluded)" in (folder / "README.md").read_text("utf-8")
    (row,) = read_rows(folder / "data" / "description-exclusions_data.csv")
    assert row["rule"] == "1"
    assert row["reason"] == "90 % or more of the answers are the same (95 %)"
    (row,) = read_rows(folder / "data" / "description-rules_data.csv")
    assert row["kind_of_rule"] == "same_answer" and row["at"].endswith("Z")


def _readme(exported):
    return (exported.folder / "README.md").read_text("utf-8")

"""Groupings from other tools are imported completely, or refused with file and line."""

import re
from io import BytesIO

import numpy as np
import pytest

from analysis.errors import InputError
from study_app.core.database import db, writing
from study_app.core.errors import StudyError
from study_app.models import Participant, Sitting
from study_app.sittings.groupings import groupings_of_set
from study_app.sittings.imported_groupings import import_groupings
from study_app.studies import studies
from tests.sent_statements import sent_statements
from tests.table_fixtures import make_set

LONG = """participant_id,stimulus_id,group_id
P1,chair01,snacks
P1,chair02,snacks
P1,chair04,rest
P2,chair01,1
P2,chair03,1
"""
WIDE = """stimulus,P1,P2
chair01,1,1
chair02,1,0
chair03,,1
chair04,2,
"""
KARDSORT = """card_id,card_label,category_id,category_label,user_id
1,chair01,1,snacks,P1
2,chair02,1,snacks,P1
4,chair04,2,rest,P1
1,chair01,1,x,P2
3,chair03,1,x,P2
"""


@pytest.fixture
def study(session, study_id):
    with writing():
        make_set(session, studies.get(session, study_id), "chair", 4)
    return studies.get(session, study_id)


def bring(session, study, tmp_path, text, set_name="chair"):
    path = tmp_path / "sorted.csv"
    path.write_text(text, encoding="utf-8")
    with writing():
        return import_groupings(session, study, path, "paper sorts.csv", set_name)


def test_three_file_formats_give_the_same_matrix(session, study, tmp_path):
    for text in (LONG, WIDE, KARDSORT):
        assert bring(session, study, tmp_path, text).stimuli == 5
        found = groupings_of_set(session, study.sets[0])
        np.testing.assert_array_equal(found.matrix, [[0, 0, -1, 1], [0, -1, 0, -1]])
        assert (found.participants, found.imported) == (["P1", "P2"], [True, True])
        with writing():
            for sitting in session.query(Sitting):
                sitting.set = make_set(session, study, f"aside{sitting.id}{len(text)}", 1)


def test_a_file_with_several_sets(session, study, tmp_path):
    text = LONG.replace("group_id", "group_id,set_id").replace("s\n", "s,chair\n")
    text = re.sub(r"(rest|,1)\n", r"\1,chair\n", text)
    assert len(bring(session, study, tmp_path, text, None).sittings) == 2


def test_errors_name_the_line_and_nothing_is_imported(session, study, tmp_path):
    for text, set_name, message in (
        (
            LONG.replace("chair04", "stool"),
            "chair",
            r"paper sorts.csv:4: there is no sketch 'stool'",
        ),
        (
            WIDE.replace("chair03", "stool"),
            "chair",
            r"paper sorts.csv:4: there is no sketch 'stool'",
        ),
        (
            LONG.replace("P2", "Ada L."),
            "chair",
            r"paper sorts.csv:5: 'Ada L.' is not a participant code",
        ),
        (
            WIDE.replace("P2", "Ada L."),
            "chair",
            r"paper sorts.csv:1: 'Ada L.' is not a participant code",
        ),
        (LONG, None, "has no set column"),
        (LONG, "boats", "no set 'boats'"),
        ("a,b\n", "chair", "paper sorts.csv"),
        ("", "chair", "paper sorts.csv"),
    ):
        with pytest.raises((StudyError, InputError), match=message):
            bring(session, study, tmp_path, text, set_name)
    assert session.query(Sitting).count() == session.query(Participant).count() == 0


def test_the_same_participant_is_not_counted_twice(session, study, tmp_path):
    bring(session, study, tmp_path, LONG)
    with pytest.raises(InputError, match=r"paper sorts.csv:2: P1 has already sorted 'chair'.*T001"):
        bring(session, study, tmp_path, LONG)
    assert session.query(Sitting).count() == 2


def test_an_empty_file_is_called_empty(client, study_id):
    address = f"/studies/{study_id}/sittings/import"
    answer = client.post(address, {"file": (BytesIO(b""), "groups.csv")})
    assert answer.status_code == 400 and "groups.csv: is empty" in answer.text
    answer = client.post(address, {"file": (BytesIO(b""), "")})
    assert answer.status_code == 400 and "Choose a CSV file" in answer.text


def test_a_real_person_does_not_become_a_simulated_one(session, study, tmp_path):
    bring(session, study, tmp_path, LONG)
    with writing():
        make_set(session, study, "table", 2)
    simulated = "participant_id,stimulus_id,group_id,simulated\nP1,table01,1,true\n"
    with pytest.raises(StudyError, match="P1 is a real person in this study"):
        bring(session, study, tmp_path, simulated, "table")
    assert not session.query(Participant).filter_by(code="P1").one().simulated
    bring(session, study, tmp_path, simulated.replace("P1", "S1"), "table")
    assert session.query(Participant).filter_by(code="S1").one().simulated


def test_an_import_asks_no_more_for_more_groups_and_earlier_people(session, study, tmp_path):
    """On SQLite nobody can save anything meanwhile."""

    def asked(people, groups):
        rows = (f"{person},chair{at:02d},{at}\n" for person in people for at in groups)
        text = "participant_id,stimulus_id,group_id\n" + "".join(rows)
        session.rollback()
        with sent_statements(db.engine) as sent:
            bring(session, study, tmp_path, text)
        return sum(one.startswith("SELECT") for one in sent)

    asked(["A0"], [1])
    few = asked(["A1"], [1])
    assert asked(["A2"], [1, 2, 3, 4]) == few
    asked([f"B{at}" for at in range(10)], [1])
    assert asked(["A3"], [1]) == few

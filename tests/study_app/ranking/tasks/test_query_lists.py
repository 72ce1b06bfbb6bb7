"""Queries from tables and folders: parsing, and errors with their lines."""

import pytest

from study_app.core.database import db
from study_app.models import StimulusSet
from study_app.ranking.refusals import ListUnclear
from study_app.ranking.tasks import query_lists
from tests.ranking_setup import draw_pictures, make_stimuli, set_of


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("query,image\nq1,i1\n", "the table:1: there is no column stimulus"),
        ("a,b\nq1,i1\n", "the table:1: there is no column query or stimulus"),
        ("query;stimulus\nq1;i1\n", "the table:1: is separated by semicolons; save it with commas"),
        ("query\tstimulus\nq1\ti1\n", "the table:1: is separated by tabs; save it with commas"),
        ("query,stimulus\nq1,i1\nq1,nothing\n", "the table:3: there is no stimulus 'nothing'"),
        ("query,stimulus\nq1,i1\nq1,i1\n", "repeats 'i1'"),
        ("query,stimulus\nq1,i1\n", "has 1 image; give it at least 2"),
        ("query,stimulus\n", "This list has no queries"),
    ],
)
def test_an_invalid_table_is_refused_with_its_line(app, study_id, tmp_path, table, message):
    with app.app_context():
        make_stimuli(app, study_id, tmp_path / "p")
        with pytest.raises(ListUnclear, match=message):
            query_lists.from_table(db.session, study_id, table, "the table")


def test_a_table_with_byte_order_mark_and_crlf_is_read(app, study_id, tmp_path):
    with app.app_context():
        table = make_stimuli(app, study_id, tmp_path / "p")
        read = query_lists.from_table(db.session, study_id, "\ufeff" + table.replace("\n", "\r\n"))
        assert [(sketch.name, len(images)) for sketch, images, _ in read] == [("q1", 6), ("q2", 6)]


def test_one_folder_per_query(app, study_id, tmp_path):
    from study_app.stimuli.importing.run import ImportChoice, import_paths

    with app.app_context():
        make_stimuli(app, study_id, tmp_path / "p")
        sketches = set_of(db.session, study_id, "sketches").id
        with pytest.raises(ListUnclear, match="there is no set of images"):
            query_lists.from_sets(db.session, study_id, sketches)
        for name in ("q1", "q2"):
            folder = draw_pictures(tmp_path / name, [f"{name}-{n}" for n in range(4)])
            import_paths(app.config["SETTINGS"], ImportChoice(study_id, name), [folder])
        _offers_the_sets_that_fit(db.session, study_id)
        read = query_lists.from_sets(db.session, study_id, sketches)
        assert [(sketch.name, [i.name for i in images]) for sketch, images, _ in read] == [
            (name, [f"{name}-{n}" for n in range(4)]) for name in ("q1", "q2")
        ]


def _offers_the_sets_that_fit(session, study_id):
    """However the sets are ordered: a folder "01_airplane" is imported before "sketches"."""
    sets = session.query(StimulusSet).filter_by(study_id=study_id).all()
    for ordered in (sets, sets[::-1]):
        sketches = query_lists.likely_sketches(ordered)
        assert sketches.name == "sketches"
        images = [query_lists.likely_images(ordered, sketches, name) for name in ("q2", "other")]
        last = next(one for one in ordered[::-1] if one is not sketches)
        assert [one.name for one in images] == ["q2", last.name]
    assert query_lists.likely_sketches([]) is None
    assert query_lists.likely_images(sets[:1], sets[0], "q1") is sets[0]

"""Rows that refer to chosen rows, through every table between."""

from sqlalchemy import create_engine, func, select

from study_app.core.database.references import with_references
from study_app.models import Base, Picture, Researcher, Stimulus, StimulusSet, Study


def test_rows_belong_to_the_study_that_they_refer_to_indirectly():
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    studies, sets, stimuli = (one.__table__ for one in (Study, StimulusSet, Stimulus))
    with engine.begin() as connection:
        connection.execute(studies.insert(), [{"id": n, "name": str(n)} for n in (1, 2)])
        rows = [{"id": n, "study_id": n, "number": n, "name": "chair"} for n in (1, 2)]
        connection.execute(sets.insert(), rows)
        picture = {"sha256": "a", "media_type": "image/png", "form": "bitmap", "look": "a"}
        picture |= {"original_bytes": 1, "width": 1, "height": 1}
        connection.execute(Picture.__table__.insert(), picture)
        rows = [
            {"set_id": set_id, "card": number, "name": str(number), "sha256": "a"}
            for set_id, number in ((1, 1), (1, 2), (2, 1))
        ]
        connection.execute(stimuli.insert(), rows)
    owned = with_references({studies: Study.id == 1})
    with engine.connect() as connection:
        for table, count in ((studies, 1), (sets, 1), (stimuli, 2)):
            of_table = select(func.count()).select_from(table).where(owned[table])
            assert connection.scalar(of_table) == count
    engine.dispose()


def test_all_tables_with_references_are_followed():
    owned = with_references({Study.__table__: Study.id == 1})
    for table in Base.metadata.sorted_tables:
        refers = {key.column.table for key in table.foreign_keys} - {table}
        assert (table in owned) == (table.name == "study" or bool(refers & owned.keys()))
    assert Researcher.__table__ not in owned

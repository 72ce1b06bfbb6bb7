"""A study is deleted with all its data, and nothing of another study."""

import pytest
from sqlalchemy import JSON, UniqueConstraint, event, func, insert, select

from study_app import create_app
from study_app.cards.print_jobs import print_name
from study_app.core.config import Settings
from study_app.core.database import db, opened, writing
from study_app.core.storage import photo_store, pictures
from study_app.models import Base, Job, Picture, Sitting, Stimulus, Study, now
from study_app.results.exports.archive import archive_name
from study_app.stimuli import stimuli
from study_app.stimuli.importing import uploads
from study_app.studies import removal, studies
from tests.study_app.card_fixtures import make_set
from tests.study_app.web.accounts.refused import refused_field
from tests.table_fixtures import make_photo

FRESH = {bool: False, bytes: b"", float: 0.5}


def a_row_in_every_table(session, first):
    """One row in each table there is, each referring to those before; gives the study's id."""
    made = {}
    for at, table in enumerate(Base.metadata.sorted_tables, start=first):
        row = {c.name: _value(c, at, made) for c in table.columns}
        row = {name: value for name, value in row.items() if value is not None}
        key = session.execute(insert(table).values(row)).inserted_primary_key
        made[table] = dict(zip((c.name for c in table.primary_key), key, strict=True))
    return made[Study.__table__]["id"]


def _value(column, at, made):
    for key in column.foreign_keys:
        return made[key.column.table][key.column.name] if key.column.table in made else None
    if isinstance(column.type, JSON):
        return {}
    kind = column.type.python_type
    if column.primary_key and column.autoincrement is not False and kind is int:
        return None
    if kind is int:
        return at
    if kind is str:
        return f"{at:0{min(column.type.length or 8, 64)}d}"
    return FRESH.get(kind, now())


def _counts(session):
    return {
        table.name: session.scalar(select(func.count()).select_from(table))
        for table in Base.metadata.sorted_tables
    }


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def either(request, tmp_path):
    """An installation on either kind of database."""
    url = f"sqlite:///{tmp_path / 'either.sqlite3'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("upgraded_url")
    app = create_app(Settings.of(tmp_path / "either", url))
    with opened(app):
        yield db.session


@pytest.mark.slow
def test_removing_a_study_deletes_exactly_its_rows(either):
    with writing() as session:
        going = a_row_in_every_table(session, 1)
        staying = a_row_in_every_table(session, 101)
    assert set(_counts(either).values()) == {2}
    with writing() as session:
        study = studies.get(session, going)
        removal.remove(session, study, study.name)
    counts = _counts(either)
    of_nobody = dict.fromkeys(("researcher", "sign_in", "attempt", "passkey"), 2)
    # One is of the other study, the other one records this removal.
    of_nobody |= {"recovery_code": 2, "audit_entry": 2}
    # Files of the study are still to be deleted, and copies of the database.
    of_nobody |= {"installation_note": 4}
    of_nobody |= {"retired_set_number": 3}
    assert counts == dict.fromkeys(counts, 1) | of_nobody
    assert studies.get(either, staying)


def test_every_reference_that_a_removal_uses_has_an_index():
    """Without one, each removed row would be looked for in the whole other table."""
    owned = removal.rows_of(1)
    for table in owned:
        unique = [c for c in table.constraints if isinstance(c, UniqueConstraint)]
        led = {next(iter(i.columns)) for i in [table.primary_key, *unique, *table.indexes]}
        for key in table.foreign_keys:
            few = key.column.table is Study.__table__ or key.column.table not in owned
            assert few or key.parent in led, f"{table.name}.{key.parent.name}"


def test_the_loss_is_described(session, study_id):
    set_id = make_set(study_id, "chairs", 3)
    with writing() as writer:
        writer.add(Sitting(study_id=study_id, number=1, set_id=set_id))
    study = studies.get(session, study_id)
    assert removal.losses(session, study) == ["3 pictures", "1 sitting at a table"]


def test_the_loss_is_counted_by_one_reference_of_each_row(either):
    with writing() as session:
        going = a_row_in_every_table(session, 1)
        a_row_in_every_table(session, 101)
    sent = []
    event.listen(db.engine, "before_cursor_execute", lambda *arguments: sent.append(arguments[2]))
    losses = removal.losses(either, studies.get(either, going))
    assert [one.split()[0] for one in losses] == ["1"] * len(removal.COUNTED)
    (scores,) = [text for text in sent if "FROM score" in text]
    assert " OR " not in scores


def test_removal_needs_the_typed_name_and_no_running_job(session, study_id):
    with writing() as writer, pytest.raises(removal.NameDiffers, match="Chairs and cars"):
        removal.remove(writer, studies.get(writer, study_id), "chairs")
    with writing() as writer:
        writer.add(Job(study_id=study_id, kind="import"))
    with writing() as writer, pytest.raises(removal.WorkUnderWay, match="import"):
        removal.remove(writer, studies.get(writer, study_id), "Chairs and cars")
    assert studies.get(session, study_id)


def test_set_numbers_of_a_removed_study_are_not_reused(session, study_id):
    number = stimuli.get_set(session, study_id, make_set(study_id, "chairs", 1)).number
    with writing() as writer:
        removal.remove(writer, studies.get(writer, study_id), "Chairs and cars")
    with writing() as writer:
        fresh = studies.make(writer, "Fresh").id
    assert stimuli.get_set(session, fresh, make_set(fresh, "x", 1)).number == number + 1


def _write(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x")
    return path


def test_files_are_deleted_unless_another_study_uses_them(app, session, study_id):
    settings = app.config["SETTINGS"]
    chairs = make_set(study_id, "chairs", 2)
    shared, own = [s.sha256 for s in stimuli.stimuli_of(session, chairs)]
    with writing() as writer:
        other = studies.make(writer, "Other").id
        twin = stimuli.find_or_make_set(writer, other, "twin")
        writer.add(Stimulus(set_id=twin.id, card=1, name="same", sha256=shared))
        for number, (study, names) in enumerate([(study_id, "ab"), (other, "a")], start=1):
            sitting = Sitting(study_id=study, number=number, set_id=chairs)
            sitting.set_id = chairs if study == study_id else twin.id
            writer.add(sitting)
            writer.flush()
            for name in names:
                make_photo(writer, sitting, name * 64)
        job = Job(study_id=study_id, kind="print", state="done")
        writer.add(job)
        writer.flush()
        job_id = job.id
    going = [_write(settings.instance / pictures.original_name(own))]
    going.append(_write(settings.instance / photo_store.original_name("b" * 64)))
    going.append(_write(going[-1].with_name("b" * 64 + ".jpg")))
    going.append(_write(settings.instance / print_name(job_id, "cards.pdf")))
    going.append(_write(settings.instance / archive_name(study_id)))
    going.append(settings.instance / "uploads" / uploads.begin(settings, study_id))
    staying = [_write(settings.instance / pictures.original_name(shared))]
    staying.append(_write(settings.instance / photo_store.original_name("a" * 64)))
    staying.append(settings.instance / "uploads" / uploads.begin(settings, other))
    with writing() as writer:
        leftovers = removal.remove(writer, studies.get(writer, study_id), "Chairs and cars")
    removal.forget_files(settings, leftovers)
    assert [path for path in going if path.exists()] == []
    assert [path for path in staying if not path.exists()] == []
    assert session.get(Picture, shared) and not session.get(Picture, own)


def test_the_page_lists_the_loss_and_asks_for_the_name(app, client, study_id):
    with app.app_context():
        make_set(study_id, "chairs", 3)
    assert f"/studies/{study_id}/remove" in client.get(f"/studies/{study_id}").get_data(True)
    assert "3 pictures" in client.get(f"/studies/{study_id}/remove").get_data(as_text=True)
    refused = client.post(f"/studies/{study_id}/remove", {"name": "no"})
    assert refused.status_code == 400
    field, sentence = refused_field(refused.text, "name")
    assert 'value="no"' in field and "type the name of the study" in sentence
    done = client.post(f"/studies/{study_id}/remove", {"name": " Chairs and cars "})
    assert done.headers["Location"] == "/"
    assert client.get(f"/studies/{study_id}").status_code == 404

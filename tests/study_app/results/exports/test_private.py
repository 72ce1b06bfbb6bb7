"""An export contains nothing identifying, and no data of people who withdrew."""

import io

import pytest
from PIL import Image

from study_app.core.database import db
from study_app.models import Researcher, SignInLink
from study_app.models.participation import Invitation, WebSitting
from tests.study_app.results.exports import whole_study


@pytest.fixture(scope="module")
def everything(exported):
    """Names and bytes of all files, in one."""
    files = [p for p in exported.folder.rglob("*") if p.is_file()]
    return b"\n".join(str(p.name).encode() + b"\n" + p.read_bytes() for p in files)


@pytest.mark.parametrize(
    "secret",
    [
        *whole_study.PLATFORM.values(),
        whole_study.RESEARCHER,
        whole_study.OWN_GENDER,
        whole_study.NOTES,
        whole_study.CAMERA,
        "127.0.0.1",
    ],
)
def test_identifying_data_are_left_out(everything, secret):
    assert secret.encode() not in everything


def test_free_text_answers_are_in_one_table_with_a_warning(exported):
    words = [
        path.name
        for path in exported.folder.rglob("*")
        if path.is_file() and whole_study.FREE_WORDS.encode() in path.read_bytes()
    ]
    assert words == ["description-words_data.csv"]
    assert "may identify" in _readme(exported)


def test_tokens_hashes_and_passwords_are_left_out(exported, everything):
    with exported.app.app_context():
        secrets = [
            *(one.token_hash for one in db.session.query(Invitation)),
            *(one.token_hash for one in db.session.query(WebSitting)),
            *(one.token_hash for one in db.session.query(SignInLink)),
            *(one.password_hash for one in db.session.query(Researcher)),
            *(one.cookie_key for one in db.session.query(Researcher)),
        ]
    assert len(secrets) > 10
    assert not [secret for secret in secrets if secret.encode() in everything]


def test_the_conductor_is_a_pseudonym(exported):
    rows = exported.rows("data/raw/session-T001_task-tablesort_data.csv")
    assert {row["conductor_id"] for row in rows} == {"", "C1"}


def test_only_answers_from_options_are_exported(exported):
    rows = exported.rows("data/description-answers_data.csv")
    assert [(row["participant_id"], row["question"]) for row in rows] == [
        ("P004", "age_band"),
        ("P004", "skill"),
    ]


def test_a_chosen_age_band_is_exported(exported):
    people = exported.rows("data/description-participants_data.csv")
    answers = {row["participant_id"]: (row["age_band"], row["gender"]) for row in people}
    assert answers["P004"] == ("18–29", "")
    assert sorted(answers) == ["P001", "P002", "P004", "P11", "P12", "P13"]


def test_photos_are_reencoded_upright(exported):
    (path,) = (exported.folder / "data" / "raw" / "photos").iterdir()
    assert path.name == "session-T001_photo-01.jpg"
    before = Image.open(io.BytesIO(whole_study.photo_with_place()))
    assert before.getexif().get_ifd(0x8825)
    with Image.open(path) as photo:
        assert photo.size == (48, 64)
        assert not dict(photo.getexif())
        assert set(photo.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


def _readme(exported):
    return (exported.folder / "README.md").read_text("utf-8")

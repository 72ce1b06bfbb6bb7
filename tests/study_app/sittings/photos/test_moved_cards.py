"""What the page says when cards were moved between two photos."""

from study_app.core.database import writing
from tests.study_app.sittings.photos.test_checks import (  # noqa: F401  # fixtures
    card,
    messages_of,
    photo,
    study,
)
from tests.table_fixtures import make_set, make_sitting


def test_many_cards_that_were_pushed_aside_give_one_message(session, study):  # noqa: F811
    with writing():
        sitting = make_sitting(session, study, make_set(session, study, "chair", 10))
    rest = [card(sitting, n, 70 * n, 2) for n in range(5, 11)]
    photos = [
        photo(session, sitting, name, [card(sitting, n, x + 70 * n, 1) for n in range(1, 5)] + rest)
        for name, x in (("a", -500), ("b", -2000))
    ]
    words, _found = messages_of(session, sitting, photos)
    assert words[0] == (
        "Cards 1, 2, 3, 4 appear in two places. If the table was changed between the photos, "
        "discard the earlier photo."
    )

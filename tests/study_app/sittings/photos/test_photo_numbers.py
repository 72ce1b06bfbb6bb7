"""Sentences on some of several photos."""

import pytest

from study_app.sittings.photos.photo_numbers import of_some

NUMBERS = [
    ([2], "Photo 2: Blurred."),
    ([1, 2], "Photos 1 and 2: Blurred."),
    ([1, 2, 3, 5, 6], "Photos 1–3, 5 and 6: Blurred."),
    ([1, 2, 3], "Photos 1–3: Blurred."),
]


@pytest.mark.parametrize(("numbers", "words"), NUMBERS)
def test_a_sentence_names_the_photos_it_is_about(numbers, words):
    assert of_some("Blurred.", numbers, 7) == words


def test_a_sentence_about_the_only_photo_does_not_number_it():
    assert of_some("Blurred.", [1], 1) == "Blurred."

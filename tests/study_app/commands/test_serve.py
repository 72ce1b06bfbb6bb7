"""What `sketch-study serve` prints leads a browser to it."""

import pytest

from study_app.commands.serve import _addresses


@pytest.mark.parametrize(
    ("host", "https", "address"),
    [
        ("127.0.0.1", False, "http://127.0.0.1:8000"),
        ("::1", False, "http://[::1]:8000"),
        ("lab.example", True, "https://lab.example:8000"),
    ],
)
def test_an_address_can_be_opened(host, https, address):
    assert _addresses(host, 8000, https) == [address]

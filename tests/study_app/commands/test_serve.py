"""What `sketch-study serve` prints leads a browser to it, and soon."""

import subprocess
import sys

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


def test_what_reads_photos_is_loaded_with_the_first_photo():
    late = "{'scipy', 'zxingcpp', 'matplotlib', 'polars'}"
    code = f"import study_app.web, sys; print(sorted({late} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

"""What a form shows beside a refused field."""

import html
import re


def refused_field(page, name):
    """The tag of the only refused field, and the sentence to which it points."""
    [field] = re.findall(r"<input[^>]*aria-invalid[^>]*>", page)
    assert f'name="{name}"' in field and "autofocus" in field
    assert page.count("autofocus") == 1
    described = re.search(r'aria-describedby="([^" ]+)', field)[1]
    assert page.count(f'id="{described}"') == 1
    return field, html.unescape(re.search(rf'<p [^>]*id="{described}"[^>]*>([^<]+)', page)[1])

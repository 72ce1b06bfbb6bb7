"""Nothing is deleted by one press: a button that deletes asks, or is on a page that asks."""

import re

from tests.house.test_translations import TEMPLATES

# Their only purpose is the question; of a set, the button leads to it.
QUESTIONS = {"participation/withdraw.html", "stimuli/removal.html", "studies/remove.html"}
PASSWORD = '{% include "accounts/_current_password.html" %}'
LEADS_THERE = {"stimuli/set.html"}


def _unasked(text):
    """Buttons of a template that delete without a question, a password or a part to open first."""
    depth, form, found = 0, "", []
    for part in re.finditer(r"<details\b|</details>|<form\b|<button\b", text):
        if part[0] == "<details":
            depth += 1
        elif part[0] == "</details>":
            depth -= 1
        elif part[0] == "<form":
            form = text[part.start() : text.find("</form>", part.start())]
        else:
            button = text[part.start() : text.find("</button>", part.start())]
            asks = depth or "data-confirm" in button or PASSWORD in form
            if re.search(r'class="[^"]*danger', button) and not asks:
                found.append(button)
    return found


def test_what_deletes_asks_first():
    found = {
        path.relative_to(TEMPLATES).as_posix(): buttons
        for path in sorted(TEMPLATES.rglob("*.html"))
        if (buttons := _unasked(path.read_text(encoding="utf-8")))
    }
    assert set(found) == QUESTIONS | LEADS_THERE

"""The information and consent text for participants: Markdown, in versions."""

from collections.abc import Sequence
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from study_app.core.text.languages import rgettext, translatable
from study_app.models.participation import ConsentText
from study_app.participation.consent.versions import LONGEST, add
from study_app.participation.refusals import TaskUnclear

# NOTE: Markdown: keep the # before the heading, the empty lines, and the - of the list.
FIRST_INFORMATION = translatable("""\
# Thank you for your interest

You will see a sketch and a number of images. For each image you say how similar it is to the \
sketch. There are no right or wrong answers: we want to know what people see.

- Taking part is voluntary. You can stop at any time, and withdraw afterwards: your scores are \
then removed.
- We store your scores and the times at which you gave them, under a code, without your name.
- Every score is saved at once. You can close the page and come back with the same link.
""")
# NOTE: as the first text, for a link that is open to many.
OPEN_INFORMATION = translatable("""\
# Thank you for your interest

You will see a sketch and a number of images. For each image you say how similar it is to the \
sketch. There are no right or wrong answers: we want to know what people see.

- Taking part is voluntary. You can stop at any time.
- We don't know who you are. We store your scores and the times at which you gave them, under a \
code.
- Every score is saved at once. You can close the page and come back with the same link on the \
same device.
- To withdraw later, bookmark the page that you see at the end: we can't find your scores \
without it.
""")
# NOTE: as the first text, for a link of a recruitment platform.
PLATFORM_INFORMATION = translatable("""\
# Thank you for your interest

You will see a sketch and a number of images. For each image you say how similar it is to the \
sketch. There are no right or wrong answers: we want to know what people see.

- Taking part is voluntary. You can stop at any time by returning your submission, and withdraw \
afterwards: your scores are then removed.
- We store your scores and the times at which you gave them, under a code. Your ID on the \
platform is stored apart from them, only to pay you, and deleted afterwards.
- Every score is saved at once. You can close the page and come back through the platform on the \
same device.
- At the end you get a completion code. Attention checks may be among the images.
""")
FIRST_CONSENT = translatable(
    "I have read this, I am at least 18 years old, and I agree to take part."
)
FIRST_TEXTS = (FIRST_INFORMATION, FIRST_CONSENT)
TEMPLATES = {
    "personal": FIRST_INFORMATION,
    "open": OPEN_INFORMATION,
    "platform": PLATFORM_INFORMATION,
}
"""Templates of the information for participants, by kind of link."""

TAGS = {
    *("p", "h1", "h2", "h3", "h4", "ul", "ol", "li", "em", "strong", "a", "br", "hr"),
    *("blockquote", "code", "pre"),
}
_NEWEST = (
    select(ConsentText)
    .where(ConsentText.task_id == bindparam("task_id"))
    .order_by(ConsentText.version.desc())
    .limit(1)
)
_markdown = MarkdownIt("commonmark", {"html": False}).disable("image")


@lru_cache(maxsize=64)
def rendered(text: str) -> str:
    """Markdown as safe HTML: no scripts, no styles, no external images."""
    return nh3.clean(
        _markdown.render(text),
        tags=TAGS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )


def newest(session: Session, task_id: int) -> ConsentText:
    """The version that participants agree to now."""
    return session.scalars(_NEWEST, {"task_id": task_id}).one()


def versions(session: Session, task_id: int) -> Sequence[ConsentText]:
    """Every version of a task's texts, oldest first."""
    chosen = select(ConsentText).where(ConsentText.task_id == task_id)
    return session.scalars(chosen.order_by(ConsentText.version)).all()


def add_version(session: Session, task_id: int, information: str, consent: str) -> ConsentText:
    """Store a new version, unless the texts are unchanged."""
    text = ConsentText(task_id=task_id, information=information, consent=consent)
    longest = rgettext(
        "A text for participants has at most %(longest)s characters.", longest=LONGEST
    )
    return add(session, text, versions(session, task_id), TaskUnclear, longest)

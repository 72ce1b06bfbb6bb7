"""What a simulated participant finds on a page: its forms, and the ending that it shows."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

Attributes = dict[str, str]


@dataclass
class Form:
    """A form of a page.

    Attributes
    ----------
    attributes : dict of str to str
    inputs : list of dict of str to str
        The attributes of each `input`.
    """

    attributes: Attributes
    inputs: list[Attributes] = field(default_factory=list)

    def hidden(self) -> dict[str, str]:
        """The hidden fields, which are sent unchanged."""
        hidden = (one for one in self.inputs if one.get("type") == "hidden")
        return {one["name"]: one.get("value", "") for one in hidden}


class Page(HTMLParser):
    """The parts of a page that decide what a participant does next.

    Attributes
    ----------
    forms : list of Form
    ending : str
        Name of the ending that the page shows; "" for none.
    code : str
        The completion code; "" for none.
    """

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.ending = self.code = ""
        self._is_form = self._is_code = False
        self.feed(content.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a form, its inputs, an ending, or where the code is."""
        attributes = {name: value or "" for name, value in attrs}
        self.ending = attributes.get("data-ending", self.ending)
        if tag == "form":
            self.forms.append(Form(attributes))
            self._is_form = True
        elif tag == "input" and self._is_form:
            self.forms[-1].inputs.append(attributes)
        elif tag == "output":
            self._is_code = attributes.get("id") == "code"

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a form or of the code."""
        self._is_form = self._is_form and tag != "form"
        self._is_code = self._is_code and tag != "output"

    def handle_data(self, data: str) -> None:
        """Note the code."""
        if self._is_code:
            self.code += data

"""The forms of a page are found however its HTML is formatted."""

import pytest

from study_app.simulation.crowd import NotForSimulated, consent_form
from study_app.simulation.pages import Page

FORMS = b"""
<form method="get"><input type="hidden" name="lang" value="de"></form>
<input type="hidden" name="outside" value="x">
<form
  method="post"
  id='agree'
  data-purpose="simulated"
>
  <input
    value="P&amp;1 &quot;x&quot;"
    name=workerId
    type="hidden"
  >
  <input type="hidden" name="csrf_token" value="t">
  <INPUT NAME="empty" TYPE="hidden" VALUE="">
  <input type="radio" name="q" value="1 &lt; 2" required data-right>
  <input type="radio" name="q" value="2 &lt; 1">
  <input name="comment">
</form>
<form id="decline" action="/take-part/x/leave?lang=en&amp;a=b">
  <input type="hidden" name="ending" value="no_consent"/>
</form>
"""


def test_the_fields_of_each_form_are_found():
    _language, agree, decline = Page(FORMS).forms
    assert agree.hidden() == {"workerId": 'P&1 "x"', "csrf_token": "t", "empty": ""}
    assert consent_form(Page(FORMS)) == agree
    assert decline.hidden() == {"ending": "no_consent"}
    assert decline.attributes["action"] == "/take-part/x/leave?lang=en&a=b"
    options = [(one["value"], "data-right" in one) for one in agree.inputs if "required" in one]
    assert options == [("1 < 2", True)]


@pytest.mark.parametrize("purpose", ["real", "tryout", ""])
def test_only_forms_for_simulated_participants_are_filled_in(purpose):
    page = FORMS.replace(b'"simulated"', f'"{purpose}"'.encode())
    with pytest.raises(NotForSimulated):
        consent_form(Page(page))


def test_the_ending_and_its_code_are_found():
    page = Page(b'<h1\n data-ending="complete">x</h1><output\n id="code">A&amp;B</output><p>C')
    assert (page.ending, page.code) == ("complete", "A&B")
    nothing = Page(b'<h1>complete</h1><output id="copied">A</output>')
    assert (nothing.ending, nothing.code) == ("", "")

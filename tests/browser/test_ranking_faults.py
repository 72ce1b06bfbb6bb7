"""Faults during participation: network, reloads, servers, tabs, pictures, links."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from study_app.core.database import db, writing
from study_app.models import now
from study_app.models.participation import Invitation
from study_app.participation.consent.questions import parse_questions
from tests.browser.page_checks import accessible, fits, lose_connection
from tests.browser.ranking_pages import (
    begin,
    chosen,
    continue_with,
    press,
    ranked,
    ready,
    saved,
    stop_time,
)

__all__ = ["ranked"]
pytestmark = pytest.mark.browser


def test_the_connection_is_lost_and_restored(page, ranked):
    link = ranked.link()
    begin(page, link)
    page.keyboard.press("1")
    saved(page)
    lose_connection(page)
    press(page, "23")
    expect(page.locator("#saving")).to_contain_text("waiting")
    assert len(ranked.scores(link)[0]) == 1
    page.context.set_offline(False)
    saved(page)
    current, entries = ranked.scores(link)
    assert [entry.value for entry in entries] == [1, 2, 3]
    assert len(current) == 3


def test_a_page_whose_script_is_lost_says_so_after_a_while(page, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    message = page.get_by_text("This page did not load completely.")
    page.route("**/ranking/scale.js*", lambda route: route.abort())
    page.reload(wait_until="commit")
    expect(message).to_be_visible()
    accessible(page)
    fits(page)
    page.unroute("**/ranking/scale.js*")
    page.reload()
    ready(page)
    expect(message).to_have_count(0)


def test_waiting_scores_survive_a_reload_and_the_same_image_is_next(page, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    press(page, "12")
    saved(page)
    order = page.evaluate("[...document.querySelectorAll('#grid img')].map(i => i.src)")
    page.route("**/entries", lambda route: route.abort())
    press(page, "34")
    expect(page.locator("#saving")).to_contain_text("waiting")
    page.reload()
    ready(page)
    assert chosen(page) == "Image 5, not scored"
    assert page.evaluate("[...document.querySelectorAll('#grid img')].map(i => i.src)") == order
    page.unroute("**/entries")
    saved(page)
    assert [entry.value for entry in ranked.scores(link)[1]] == [1, 2, 3, 4]


def test_another_device_continues_at_the_same_image(page, chromium, ranked):
    link = ranked.link()
    begin(page, link)
    # The second and the third are passed over.
    press(page, ["1", "ArrowRight", "ArrowRight", "3"])
    saved(page)
    order = page.evaluate("[...document.querySelectorAll('#grid img')].map(i => i.src)")
    other = chromium.new_context(viewport={"width": 390, "height": 844}).new_page()
    other.goto(link)
    ready(other)
    assert chosen(other) == "Image 5, not scored"
    assert other.evaluate("[...document.querySelectorAll('#grid img')].map(i => i.src)") == order
    other.context.close()


def test_a_killed_server_loses_nothing(page, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    page.keyboard.press("1")
    saved(page)
    ranked.server.kill()
    press(page, "234")
    expect(page.locator("#saving")).to_contain_text("waiting")
    ranked.server.start()
    saved(page)
    assert [entry.value for entry in ranked.scores(link)[1]] == [1, 2, 3, 4]
    page.reload()
    ready(page)
    assert chosen(page) == "Image 5, not scored"


def test_two_tabs_store_one_current_score_with_its_history(page, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    other = page.context.new_page()
    other.goto(link)
    ready(other)
    page.bring_to_front()
    page.keyboard.press("2")
    saved(page)
    other.bring_to_front()
    other.locator("#grid button").first.click()
    other.keyboard.press("6")
    saved(other)
    current, entries = ranked.scores(link)
    assert list(current.values()) == [6]
    assert [entry.value for entry in entries] == [2, 6]


def test_a_double_tap_scores_one_image(page, ranked):
    link = ranked.agreed_link()
    page.clock.install()
    continue_with(page, link)
    # However long this machine takes from one tap to the other.
    stop_time(page)
    page.get_by_role("button", name="Score 4").dblclick()
    saved(page)
    current, _ = ranked.scores(link)
    assert set(current.values()) == {4}
    assert len(current) == 1
    assert chosen(page) == "Image 2, not scored"


def test_a_picture_that_does_not_load_is_reported_and_recorded_without_score(page, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    last = page.evaluate("document.querySelector('#grid button:last-child img').src")
    broken = last.split("/pictures/")[1].split("?")[0]
    page.route(f"**/pictures/{broken}*", lambda route: route.abort())
    page.reload()
    page.wait_for_selector("#grid .failed")
    expect(page.locator("#trouble")).to_contain_text("1 image could not be loaded")
    page.locator("#grid button").last.click()
    page.keyboard.press("3")
    press(page, ["Home"])
    press(page, "12345")
    saved(page)
    current, _ = ranked.scores(link)
    assert current[1, int(broken)] is None
    assert len([value for value in current.values() if value]) == 5
    # The query can be submitted without it, and it loads on a retry.
    expect(page.get_by_role("button", name="Review scores")).to_be_visible()
    page.unroute(f"**/pictures/{broken}*")
    page.get_by_role("button", name="Reload images").click()
    expect(page.locator("#grid .failed")).to_have_count(0)
    page.locator("#grid button").last.click()
    page.keyboard.press("7")
    saved(page)
    assert ranked.scores(link)[0][1, int(broken)] == 7


def test_a_picture_that_fails_once_is_loaded_again(page, ranked):
    failures = []

    def fail_once(route):
        if failures:
            route.continue_()
        else:
            failures.append(route.request.url)
            route.abort()

    page.route("**/pictures/*", fail_once)
    link = ranked.agreed_link()
    continue_with(page, link)
    assert len(failures) == 1
    press(page, "123456")
    saved(page)
    # Nothing was missing in the end, so nothing is recorded as missing.
    assert [entry.value for entry in ranked.scores(link)[1]] == [1, 2, 3, 4, 5, 6]


def test_images_cannot_be_scored_without_the_sketch(page, ranked):
    link = ranked.agreed_link()
    continue_with(page, link)
    sketch = page.evaluate("document.querySelector('#sketch img').src").split("/pictures/")[1]
    page.route(f"**/pictures/{sketch.split('?')[0]}*", lambda route: route.abort())
    page.reload()
    page.wait_for_selector("#workspace[aria-busy]")
    expect(page.locator("#grid img")).to_have_count(6)
    expect(page.get_by_role("button", name="Score 3")).to_be_disabled()
    page.keyboard.press("3")
    expect(page.locator("#announcement")).to_contain_text("Wait for the image to load")
    expect(page.get_by_role("alert")).to_contain_text("The sketch could not be loaded")
    page.unroute(f"**/pictures/{sketch.split('?')[0]}*")
    page.get_by_role("button", name="Reload images").click()
    expect(page.get_by_role("button", name="Score 3")).to_be_enabled()
    expect(page.locator("#sketch img")).to_have_js_property("complete", True)
    page.keyboard.press("3")
    saved(page)
    assert [entry.value for entry in ranked.scores(link)[1]] == [3]


def test_answers_to_the_questions_are_stored(page, ranked):
    questions = parse_questions("Age band: 18 to 29 | 30 or older\nDrawing experience\nHandedness")
    link = ranked.link(task_id=ranked.add_task("Asking", questions))
    page.goto(link)
    page.get_by_label("Age band").select_option("30 or older")
    page.get_by_label("Drawing experience").fill("  since school ")
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start").click()
    ready(page)
    with ranked.app.app_context():
        sitting = ranked.sitting(db.session, link)
        assert sitting.answers == {"age_band": "30 or older", "drawing_experience": "since school"}
        assert sitting.participant.age_band == "30 or older"


@pytest.mark.parametrize("state", ["unknown", "closed", "expired"])
def test_invalid_links_say_why(page, ranked, state):
    link = ranked.link() if state != "unknown" else f"{ranked.server.address}/take-part/{'x' * 32}/"
    with ranked.app.app_context(), writing() as session:
        newest = session.query(Invitation).order_by(Invitation.id.desc()).first()
        if state == "closed":
            newest.closed_at = now()
        elif state == "expired":
            newest.expires_at = now() - timedelta(days=1)
    page.goto(link)
    message = {"unknown": "Unknown link", "closed": "was closed", "expired": "has expired"}[state]
    expect(page.get_by_role("alert")).to_contain_text(message)


def test_a_platform_participant_returns_to_the_same_image(page, ranked):
    link = ranked.link("prolific") + "?PROLIFIC_PID=5f3a&STUDY_ID=s1&SESSION_ID=t1"
    begin(page, link)
    own = page.url
    press(page, "12")
    saved(page)
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_url(own)
    ready(page)
    assert chosen(page) == "Image 3, not scored"
    assert "5f3a" not in own


def test_after_a_restore_an_open_page_asks_for_missing_scores_again(page, ranked, tmp_path):
    link = ranked.agreed_link()
    continue_with(page, link)
    press(page, "12")
    saved(page)
    ranked.server.run("backup", tmp_path / "kept.zip")
    press(page, "3")
    saved(page)
    ranked.server.kill()
    press(page, "4")
    expect(page.locator("#saving")).to_contain_text("waiting")
    ranked.server.run("restore", tmp_path / "kept.zip", "--force")
    ranked.server.start()
    expect(page.locator("#grid [aria-label='Image 3, not scored']")).to_have_count(1)
    saved(page)
    assert [entry.value for entry in ranked.scores(link)[1]] == [1, 2, 4]

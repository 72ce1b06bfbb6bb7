"""Every ending of a participation, as a platform participant reaches it on a phone."""

import re

from playwright.sync_api import expect

from tests.browser.page_checks import PATIENCE_MS
from tests.ranking_setup import make_link
from tests.walks.looking import WIDTHS, open_page
from tests.walks.studies_with_people import platform_study

PHONE = {"width": 390, "height": 844}
IDS = "?PROLIFIC_PID={0}&STUDY_ID=wave-2&SESSION_ID=session-{0}"


class Visits:
    """Visits in one language.

    Parameters
    ----------
    look : callable
        Called with a page and its name.
    """

    def __init__(self, app, chromium, address, task_id, language, looking) -> None:
        self.app, self.chromium, self.address = app, chromium, address
        self.task_id, self.language, self.looking = task_id, language, looking

    def walk(self) -> None:
        """Every ending, each by a person of their own."""
        token = make_link(self.app, self.task_id, "prolific")
        self.link = f"{self.address}/take-part/{token}/"
        for ending in ("complete", *platform_study.CODES):
            page = self._join(ending)
            getattr(self, f"_{ending}")(page)
            self._see(page, f"end-{ending}")
            expected = platform_study.CODES.get(ending, "DONE1")
            expect(page.locator("#code")).to_have_text(expected)
            page.context.close()
        self._fail_to_join()

    def walk_parts(self, task_id: int) -> None:
        """Between two parts of a task."""
        page = self._page()
        token = make_link(self.app, task_id, "open")
        open_page(page, f"{self.address}/take-part/{token}/")
        self._see(page, "parts-welcome")
        self._agree(page)
        self._rank(page, score_own=True)
        page.wait_for_url("**/part")
        self._see(page, "parts-between")
        page.context.close()

    def walk_device(self, task_id: int) -> None:
        """A phone, where a laptop is asked for; screened out before the consent."""
        page = self._page()
        token = make_link(self.app, task_id, "prolific")
        open_page(page, f"{self.address}/take-part/{token}/{IDS.format(self.language)}")
        expect(page.locator("#device")).to_be_visible()
        expect(page.locator("#agree")).to_be_hidden()
        self._see(page, "device")
        page.locator("#device button").click()
        expect(page.locator("#code")).to_have_text(platform_study.CODES["screened_out"])
        self._see(page, "end-device")
        page.context.close()

    def _page(self):
        context = self.chromium.new_context(
            viewport=PHONE, locale=self.language, timezone_id="Asia/Tokyo", has_touch=True
        )
        context.set_default_timeout(PATIENCE_MS)
        return context.new_page()

    def _see(self, page, name):
        look = self.looking(page)
        for width in WIDTHS:
            page.set_viewport_size({**PHONE, "width": width})
            look.look(f"{self.language}-{name}-{width}")

    def _join(self, ending):
        page = self._page()
        open_page(page, self.link + IDS.format(f"{self.language}-{ending}"))
        expect(page.locator("html")).to_have_attribute("lang", self.language)
        if ending == "complete":
            self._see(page, "welcome")
        return page

    def _fail_to_join(self):
        """Without an ID, and twice."""
        for name, ids in (("no-id", ""), ("twice", IDS.format(f"{self.language}-complete"))):
            page = self._page()
            open_page(page, self.link + ids)
            self._see(page, f"refused-{name}")
            page.context.close()

    def _agree(self, page):
        page.locator("#agree [name=agreed]").check()
        page.locator("#agree button.primary").click()
        page.wait_for_url(lambda url: not url.rstrip("/").endswith(self.link.rstrip("/")))

    def _check(self, page, right=True):
        page.wait_for_url("**/check")
        page.locator("input[type=radio]").nth(0 if right else 1).check()
        page.locator("button.primary").click()

    def _begin(self, page):
        self._agree(page)
        self._check(page)
        page.wait_for_url("**/rank")
        page.wait_for_selector("#workspace[aria-busy=false]")

    def _rank(self, page, score_own):
        """Score everything: the sketch's own copy best or worst, the others in the middle."""
        page.wait_for_url("**/rank")
        expect(page.locator("#progress")).not_to_be_empty()
        # "Sketch 1 of 5 · …", in the order of the language.
        _, sketches = re.findall(r"\d+", page.locator("#progress").text_content())[:2]
        for _ in range(int(sketches)):
            page.wait_for_selector("#workspace[aria-busy=false]")
            expect(page.locator("#grid .loading")).to_have_count(0)
            sketch = page.locator("#sketch img").get_attribute("src")
            for image in page.locator("#grid img").all():
                own = image.get_attribute("src") == sketch
                page.keyboard.press(("1" if score_own else "7") if own else "4")
            page.keyboard.press("Enter")
            page.wait_for_selector("#submit:not([hidden])")
            page.keyboard.press("s")
            expect(page.locator("#submit")).to_be_hidden()

    def _close(self, page):
        page.wait_for_url("**/thanks")
        self._see(page, "closing")
        page.locator("textarea").fill("It was fun. " * 5)
        page.locator("button.primary").click()

    def _complete(self, page):
        self._agree(page)
        page.wait_for_url("**/check")
        self._see(page, "check")
        self._check(page)
        page.wait_for_url("**/rank")
        page.wait_for_selector("#workspace[aria-busy=false]")
        self._see(page, "rank")
        self._rank(page, score_own=True)
        self._close(page)

    def _failed_checks(self, page):
        self._begin(page)
        self._rank(page, score_own=False)
        self._close(page)

    def _time_up(self, page):
        self._begin(page)
        platform_study.expire_time_limit(self.app, self.task_id)
        page.reload()
        self._close(page)

    def _screened_out(self, page):
        self._agree(page)
        self._check(page, right=False)
        expect(page.locator(".refusal")).to_be_visible()
        self._see(page, "check-again")
        self._check(page, right=False)
        page.wait_for_url("**/thanks")

    def _no_consent(self, page):
        page.locator("#decline button").click()
        page.wait_for_url("**/leave**")

    def _withdrew(self, page):
        self._begin(page)
        page.keyboard.press("3")
        open_page(page, page.url.rpartition("/")[0] + "/withdraw")
        self._see(page, "withdraw")
        page.locator("button.danger").click()
        page.wait_for_url("**/thanks")

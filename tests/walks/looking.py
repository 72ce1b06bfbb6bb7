"""Checks of a walk on each page: screenshot, width, accessibility; faults are collected."""

from pathlib import Path

from playwright.sync_api import Error

from tests.browser.page_checks import accessible, cells_have_values, fits

WIDTHS = (1280, 390)
HEIGHT = 844
# Chromium drops all requests when any program on the machine adds or removes a network address.
NETWORK_CHANGED = "net::ERR_NETWORK_CHANGED"
TRIES = 20


def open_page(page, address):
    """Open a page with everything on it, again if the machine's network changed meanwhile."""
    dropped = []

    def note(request):
        dropped.append(request.failure)

    page.on("requestfailed", note)
    try:
        for _ in range(TRIES):
            dropped.clear()
            try:
                answer = page.goto(address)
            except Error as fault:
                if NETWORK_CHANGED not in str(fault):
                    raise
            else:
                if NETWORK_CHANGED not in dropped:
                    return answer
    finally:
        page.remove_listener("requestfailed", note)
    raise AssertionError(f"{address}: the network changed {TRIES} times")


class Looking:
    """Checks pages and collects their faults.

    Parameters
    ----------
    page : playwright page
    folder : pathlib.Path
        Where the screenshots go.

    Attributes
    ----------
    faults, seen : list of str
        The faults, and the names of the screenshots; further pages add to the same lists.
    """

    def __init__(self, page, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.faults: list[str] = []
        self.seen: list[str] = []
        page.on("pageerror", lambda fault: self.report(f"{page.url}: script: {fault}"))
        page.on("response", self._answered)

    def _answered(self, response) -> None:
        if response.status >= 500:
            self.report(f"{response.url}: {response.status}")

    def report(self, fault: str) -> None:
        """Keep a fault, and print it at once: the walk may be interrupted."""
        self.faults.append(fault)
        print(fault, flush=True)

    def look(self, name: str, whole: bool = True) -> None:
        """The page as it is now."""
        self.seen.append(name)
        checks = (fits, accessible, cells_have_values)
        for check in checks[: 3 if self.page.viewport_size["width"] < 600 else 2]:
            try:
                check(self.page)
            except AssertionError as fault:
                self.report(f"{name}: {str(fault)[:600]}")
        self.page.screenshot(path=self.folder / f"{name}.png", full_page=whole)

    def visit(self, name: str, address: str, opened: bool = True) -> None:
        """A page at each width, with everything on it opened."""
        for width in WIDTHS:
            self.page.set_viewport_size({"width": width, "height": HEIGHT})
            answer = open_page(self.page, address)
            if answer.status != 200:
                self.report(f"{name}: {address} was answered with {answer.status}")
            if opened:
                self._open_all()
            self.look(f"{name}-{width}")

    def _open_all(self) -> None:
        self.page.evaluate(
            "document.querySelectorAll('main details').forEach((one) => { one.open = true; })"
        )

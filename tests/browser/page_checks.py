"""Checks of every page: accessible, and no wider than the screen. Waiting, and lost connections."""

from axe_playwright_python.sync_playwright import Axe

# A test fails if a state is never reached, not if a busy machine is slow.
PATIENCE_MS = 180_000
AXE = Axe().axe_script
# Only these leave the page: what axe has passed, too, would be twenty times as much to send.
VIOLATIONS = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"


def accessible(page):
    """WCAG 2.2 AA and axe's best practices, as far as axe sees."""
    _styled(page)
    if not page.evaluate("Boolean(window.axe?.run)"):
        page.evaluate(AXE)
    found = page.evaluate(VIOLATIONS)
    listing = "\n".join(f"{finding['id']}: {finding['nodes'][0]['html']}" for finding in found)
    assert not found, listing


def fits(page):
    """Nothing scrolls sideways."""
    _styled(page)
    wide, screen = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= screen, f"{wide} pixels wide on a screen of {screen}"


def no_line_begins_with_a_dot(page, selector):
    """At no width of this element, a line in it begins with the dot before an item."""
    dots, wrong = page.evaluate(
        """(selector) => {
          const box = document.querySelector(selector);
          const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT), dots = [];
          for (let text = texts.nextNode(); text; text = texts.nextNode()) {
            for (const { index } of text.data.matchAll("·")) {
              const dot = document.createRange();
              dot.setStart(text, index);
              dot.setEnd(text, index + 1);
              if (dot.getBoundingClientRect().width) dots.push(dot);
            }
          }
          const wrong = [];
          for (let width = 160; width < 600; width += 5) {
            box.style.width = `${width}px`;
            const { left } = box.getBoundingClientRect();
            if (dots.some((dot) => dot.getBoundingClientRect().left < left + 2)) wrong.push(width);
          }
          box.style.width = "";
          return [dots.length, wrong];
        }""",
        selector,
    )
    assert dots and not wrong, f"{dots} dots; at these widths, one begins a line: {wrong}"


def cells_have_values(page):
    """On a phone, no row of a table names a column without a value."""
    lacking = page.evaluate(
        """() => [...document.querySelectorAll(".folds td[data-name]")]
          .filter((cell) => getComputedStyle(cell).display !== "none")
          .filter((cell) => !cell.textContent.trim() && !cell.children.length)
          .map((cell) => cell.dataset.name)"""
    )
    assert not lacking, lacking


def _styled(page):
    # On a page just navigated to, a test can find its words before the stylesheet is there.
    page.wait_for_load_state("load")


def wait_until(page, condition):
    """Wait until an asynchronous expression is true on the page.

    `wait_for_function` would take the promise itself for true.
    """
    page.evaluate(
        f"""async (patience) => {{
        const end = performance.now() + patience;
        while (!await ({condition})) {{
            if (performance.now() > end) throw new Error("never");
            await new Promise((resume) => setTimeout(resume, 50));
        }}
    }}""",
        PATIENCE_MS,
    )


def lose_connection(page):
    """Take the connection away from a page, and wait until no request leaves it any more.

    Chromium tells the page first and its network process some time later.
    """
    page.context.set_offline(True)
    page.evaluate(
        """async () => {
          for (;;) {
            try { await fetch("/robots.txt", { method: "HEAD", cache: "no-store" }); }
            catch { return; }
          }
        }"""
    )

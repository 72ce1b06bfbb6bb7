"""A conductor's time for a table of 300 cards, from finished sorting to a finished sitting.

    python -m tests.bench.bench_conductor

A fixed script in real Chromium does what a conductor does with one photo of the table and nothing
else. The machine's time is measured; the conductor's is added from the table `HANDS`, in seconds
for each action. A line gives both times for each step, and the last line their sum.
"""

import tempfile
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.bench.bench_recording import CARDS, lay_table
from tests.browser.conftest import CHROMIUM, CHROMIUM_OPTIONS, PASSWORD, Served

GROUPS = 25
MEGAPIXELS = 12.0
# Seconds that a person takes, beside what the machine takes.
HANDS = {
    "walk to the table and lift the phone": 4.0,
    "take the photo": 5.0,
    "compare the number of groups with the table": 8.0,
    "look over the outlines": 10.0,
    "tap": 1.0,
}
SCRIPT = (
    ("stop the sorting", ("tap",)),
    (
        "photograph, read and propose",
        ("walk to the table and lift the phone", "take the photo", "tap"),
    ),
    ("check the groups", ("compare the number of groups with the table", "look over the outlines")),
    ("confirm and save", ("tap",)),
    ("finish", ("tap", "tap")),
)


def table_of(folder):
    """A photo of the whole table, 300 cards in groups of twelve."""
    app, printed = lay_table(folder)
    each = CARDS // GROUPS
    groups = [list(range(at + 1, at + each + 1)) for at in range(0, CARDS, each)]
    photo = folder / "table.jpg"
    photo.write_bytes(printed.photo(groups, 1, MEGAPIXELS))
    return app, photo


def steps(page, address, photo):
    """Each step of the script as a function of no argument."""

    def stop():
        page.get_by_role("button", name="Stop and record").click()
        expect(page.locator("#count")).to_have_text(f"0 of {CARDS}")

    def propose():
        page.locator("#photo-table").set_input_files(photo)
        expect(page.locator("#proposal .confirm")).to_be_visible()

    def check():
        print(f"  {page.locator('#proposal .sum').inner_text()}")

    def confirm():
        page.locator("#proposal .confirm").click()
        expect(page.locator("#saved")).to_have_text("· saved")

    def finish():
        page.get_by_role("button", name="Finish sitting").click()
        if page.locator("#reason").is_visible():
            page.locator("#reason").fill("covered on the photo")
        page.locator("#finish-dialog").get_by_role("button", name="Finish sitting").click()
        page.wait_for_url(address)

    names = [name for name, _by_hand in SCRIPT]
    return dict(zip(names, (stop, propose, check, confirm, finish), strict=True))


def measure(page, served, photo):
    """Print the seconds of each step; the sum of the machine's and of the conductor's."""
    address = f"{served.address}/studies/1/sittings/T001"
    page.goto(served.welcome())
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url(served.address + "/")
    page.goto(address)
    page.get_by_role("button", name="Start sorting").click()
    machine = hands = 0.0
    for name, do in steps(page, address, photo).items():
        start = time.perf_counter()
        do()
        took = time.perf_counter() - start
        by_hand = sum(HANDS[what] for what in dict(SCRIPT)[name])
        print(f"{name:<32} machine {took:6.1f} s   conductor {by_hand:5.1f} s")
        machine, hands = machine + took, hands + by_hand
    print(f"{'together':<32} {machine + hands:.1f} s")


def main():
    """Lay the table, record it as a conductor does, and print."""
    expect.set_options(timeout=120_000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _app, photo = table_of(folder)
        served = Served(folder / "instance")
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=CHROMIUM, args=CHROMIUM_OPTIONS
                )
                measure(browser.new_page(viewport={"width": 390, "height": 844}), served, photo)
                browser.close()
        finally:
            served.kill()


if __name__ == "__main__":
    main()

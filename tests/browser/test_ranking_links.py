"""The printed sheet of invitations, read by foreign readers: every code opens its own link."""

import shutil
import subprocess

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import sign_in
from tests.browser.ranking_pages import begin, ranked
from tests.conftest import need

__all__ = ["ranked"]
pytestmark = pytest.mark.browser

LINKS = 9
# A foreign reader misses a code in a hundred at any one size, each time another.
SIZES_DPI = (100, 150, 200)


def _printed(page, folder):
    """The pages of the sheet as pictures, near and far."""
    pdf = folder / "sheet.pdf"
    pdf.write_bytes(page.pdf(format="A4", print_background=True))
    for dpi in SIZES_DPI:
        size = ["-r", str(dpi), "-gray", "-png"]
        subprocess.run(["pdftoppm", *size, str(pdf), str(folder / f"page-{dpi}")], check=True)
    return sorted(folder.glob("page*.png"))


def _read(pictures):
    command = ["zbarimg", "--quiet", "--raw", "-S*.disable", "-Sqrcode.enable", *pictures]
    found = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8")
    return sorted(set(found.stdout.split()))


def test_every_qr_code_of_the_sheet_opens_its_link(page, chromium, ranked, tmp_path):
    for program in ("pdftoppm", "zbarimg"):
        need(shutil.which(program), f"{program} is not installed")
    sign_in(page, ranked.server)
    page.goto(f"{ranked.server.address}/studies/1/ranking/{ranked.task_id}/")
    page.get_by_label("Number of personal links").fill(str(LINKS))
    page.get_by_role("button", name="Create links").click()
    expect(page.locator(".slip")).to_have_count(LINKS)
    written = page.locator(".slip .address").all_inner_texts()
    read = _read(_printed(page, tmp_path))
    assert read == sorted(written)
    assert len(set(read)) == LINKS
    codes = set()
    for address in read:
        context = chromium.new_context()
        stranger = context.new_page()
        begin(stranger, address)
        codes.add(stranger.url)
        context.close()
    assert len(codes) == LINKS
    # The print has only the slips: no buttons, no header, no slip across two pages.
    page.emulate_media(media="print")
    for gone in ("button:visible", ".steps:visible", ".top:visible"):
        expect(page.locator(gone)).to_have_count(0)

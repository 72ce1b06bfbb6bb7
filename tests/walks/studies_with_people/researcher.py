"""The researcher's pages of both studies, full and empty, and actions on people."""

from playwright.sync_api import expect

from tests.walks.looking import open_page

TABLE = {
    "home": "",
    "people": "people/",
    "person": "people/P01",
    "person-long": "people/assessor-of-group-09",
    "exclusions": "people/exclusions",
    "retention": "people/retention",
    "sittings": "sittings/",
    "sitting": "sittings/T002",
    "sitting-long": "sittings/T067",
    "quality": "sittings/quality",
    "consent": "sittings/consent",
    "checklist": "sittings/checklist",
    "day": "sittings/day",
    "gold": "gold/",
    "export": "export/",
    "audit": "audit/",
}
TASK = {
    "task": "",
    "task-people": "people",
    "task-quality": "quality",
    "flow": "flow",
    "texts": "texts",
    "settings": "settings",
    "queries": "queries",
    "platform": "platform",
}
# Pages of a conductor and an assessor at a table, in their own language.
TABLET = {
    "instructions": "T073/instructions",
    "consent": "T073/consent/late-01",
    "record": "T074/record",
}
STUDY = {
    "home": "",
    "people": "people/",
    "exclusions": "people/exclusions",
    "retention": "people/retention",
    "ranking": "ranking/",
    "gold": "gold/",
    "export": "export/",
    "audit": "audit/",
}
# The gold standards of a whole study, on a busy machine.
EXPORT_MS = 600_000
EMPTY = ("people/", "people/exclusions", "people/retention", "sittings/quality", "gold/", "export/")


def walk_table(looking, base: str) -> None:
    """Two withdrawals and an exclusion, then every page."""
    page = looking.page
    _withdraw(page, f"{base}/people/P02", "P02")
    open_page(page, f"{base}/sittings/T020")
    page.get_by_text("Exclude or withdraw").click()
    page.get_by_text("Withdraw T020").click()
    page.locator("form[action$='T020/withdraw'] button").click()
    expect(page.get_by_text("Withdrawn on")).to_be_visible()
    open_page(page, f"{base}/people/P04")
    page.get_by_text("Exclude P04").click()
    page.get_by_label("Reason").fill("Put every card on one pile and said that she was in a hurry")
    page.get_by_role("button", name="Exclude from all results").click()
    expect(page.get_by_text("was excluded on").first).to_be_visible()
    _set_rule(page, base, "90")
    for name, path in TABLE.items():
        looking.visit(f"table-{name}", f"{base}/{path}")
    open_page(page, f"{base}/gold/")
    in_long_name = page.locator("main a[href*='gold/sets/']").nth(2)
    looking.visit("table-gold-set", in_long_name.evaluate("link => link.href"))
    export(looking, f"{base}/export/", "table")


def walk_tablet(looking, base: str, language: str) -> None:
    """The pages at a table, with a message about a wrong card."""
    for name, path in TABLET.items():
        address = f"{base}/{path}?lang={language}"
        looking.visit(f"{language}-tablet-{name}", address, opened=False)
        expect(looking.page.locator("html")).to_have_attribute("lang", language)
    looking.page.locator("#number").fill("99")
    looking.page.keyboard.press("Enter")
    expect(looking.page.locator("#messages")).to_contain_text("99")
    looking.look(f"{language}-tablet-wrong-card")


def walk_platform(looking, base: str, task_id: int) -> None:
    """A withdrawal by the researcher, an exclusion by rule, then every page."""
    page = looking.page
    _set_rule(page, base, "95")
    looking.visit("platform-rule-preview", f"{base}/people/exclusions")
    page.locator("form[action$=apply] button, form[action*=rules] button.primary").last.click()
    excluded = page.locator("section[aria-labelledby=current] li")
    expect(excluded.filter(has_text="95 % or more").first).to_be_visible()
    _withdraw(page, f"{base}/people/SIM060", "SIM060")
    for name, path in STUDY.items():
        looking.visit(f"platform-{name}", f"{base}/{path}")
    for name, path in TASK.items():
        looking.visit(f"platform-{name}", f"{base}/ranking/{task_id}/{path}")
    for name, path in (("person", "SIM001"), ("person-real", "P001"), ("withdrawn", "SIM060")):
        looking.visit(f"platform-{name}", f"{base}/people/{path}")
    looking.visit("platform-gold-task", f"{base}/gold/tasks/{task_id}")
    export(looking, f"{base}/export/", "platform")


def export(looking, address: str, name: str) -> None:
    """Export the study and see that it is ready."""
    open_page(looking.page, address)
    looking.page.get_by_role("button", name="Export the study").click()
    expect(looking.page.get_by_text("the export continues")).to_be_visible()
    # Again, since a changed network can drop the script that shows the progress.
    open_page(looking.page, address)
    ready = looking.page.get_by_role("link", name="Download ZIP")
    expect(ready).to_be_visible(timeout=EXPORT_MS)
    looking.look(f"{name}-exported")


def walk_empty(looking, base: str) -> None:
    """The same pages without participants."""
    for path in EMPTY:
        looking.visit(f"empty-{path.strip('/').replace('/', '-')}", f"{base}/{path}")


def _set_rule(page, base: str, percent: str) -> None:
    """Exclude whoever gave one answer so often, and wait until the rule is listed."""
    open_page(page, f"{base}/people/exclusions")
    page.get_by_label("Exclude sittings by").select_option("same_answer")
    page.get_by_label("Number").fill(percent)
    page.get_by_role("button", name="Set rule").click()
    rules = page.locator("section[aria-labelledby=rules] li")
    expect(rules.filter(has_text=f"{percent} % or more")).to_be_visible()


def _withdraw(page, address: str, code: str) -> None:
    open_page(page, address)
    page.get_by_text(f"Withdraw {code}").click()
    page.get_by_role("button", name=f"Delete all data of {code}").click()
    expect(page.get_by_text("Withdrawn on")).to_be_visible()

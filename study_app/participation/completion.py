"""Where somebody who has finished is sent back to, with the completion code."""

from urllib.parse import parse_qs, parse_qsl, quote, unquote, urlencode

from study_app.models.participation import WebTask
from study_app.participation.refusals import TaskUnclear

PLACE_OF_CODE = "{code}"
PARAMETER = "cc"


def return_address(task: WebTask) -> str:
    """The completion address of a task with its code in it; empty where the task has none.

    The code is filled in for `{code}`; where the address has neither that nor the code, it is
    added as the parameter `cc`, as the recruitment platform Prolific reads it.
    """
    address, code = task.completion_url, task.completion_code
    if PLACE_OF_CODE in address:
        return address.replace(PLACE_OF_CODE, quote(code, safe=""))
    if not address or written_code(address) is not None or _holds(address, code):
        return address
    before, mark, fragment = address.partition("#")
    joint = "" if before.endswith(("?", "&")) else "&" if "?" in before else "?"
    return f"{before}{joint}{urlencode({PARAMETER: code})}{mark}{fragment}"


def written_code(address: str) -> str | None:
    """The code that a completion address says itself, in its parameter `cc`; else None."""
    query = address.partition("#")[0].partition("?")[2]
    written = parse_qs(query).get(PARAMETER)
    return written[-1] if written else None


def agreed_code(address: str, code: str) -> str:
    """The code of a task: the one chosen, or the one that its completion address says.

    Raises
    ------
    TaskUnclear
        If they differ: participants would be shown another code than the platform is told.
    """
    written = None if PLACE_OF_CODE in address else written_code(address)
    if code and written is not None and written != code:
        raise TaskUnclear(
            f"The completion URL says {PARAMETER}={written}, but the completion code is "
            f"{code}; make them the same, or leave the code empty."
        )
    return code or written or ""


def _holds(address: str, code: str) -> bool:
    """Whether the code is a whole part of the path, a whole parameter, or the fragment."""
    before, _, fragment = address.partition("#")
    path, _, query = before.partition("?")
    parts = [unquote(part) for part in path.split("/")[3:]]
    parameters = [value for _, value in parse_qsl(query)]
    return code in (*parts, *parameters, unquote(fragment))

"""Where somebody who has finished is sent back to, with the completion code."""

import re
from urllib.parse import parse_qs, parse_qsl, quote, unquote, urlencode

from study_app.participation.refusals import TaskUnclear

PLACE_OF_CODE = "{code}"
PLACE_OF_PERSON = "{person}"
PARAMETER = "cc"


def return_address(address: str, code: str, person: str = "") -> str:
    """An address with the code of an ending in it; empty where there is no address.

    The code is filled in for `{code}`; where the address has neither that nor the code, it is
    added as the parameter `cc`, as the recruitment platform Prolific reads it. What the platform
    calls the person is filled in for `{person}`, as SONA reads it.
    """
    address = address.replace(PLACE_OF_PERSON, quote(person, safe=""))
    if PLACE_OF_CODE in address:
        return address.replace(PLACE_OF_CODE, quote(code, safe=""))
    is_whole = not code or written_code(address) is not None or _holds(address, code)
    if not address or is_whole or _is_credit(address):
        return address
    before, mark, fragment = address.partition("#")
    joint = "" if before.endswith(("?", "&")) else "&" if "?" in before else "?"
    return f"{before}{joint}{urlencode({PARAMETER: code})}{mark}{fragment}"


def address_for_other(address: str, code: str) -> str:
    """The task's address as an ending with another code uses it; empty where it can't.

    Parameters
    ----------
    address, code : str
        Those of a complete participation.
    """
    if _is_credit(address):
        return ""
    if PLACE_OF_CODE in address:
        return address
    if written_code(address) is not None:
        return re.sub(rf"([?&]{PARAMETER}=)[^&#]*", rf"\1{PLACE_OF_CODE}", address)
    return "" if _holds(address, code) else address


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


def _is_credit(address: str) -> bool:
    """Whether it grants credit by itself: SONA's needs no code."""
    return "webstudy_credit.aspx" in address


def _holds(address: str, code: str) -> bool:
    """Whether the code is a whole part of the path, a whole parameter, or the fragment."""
    before, _, fragment = address.partition("#")
    path, _, query = before.partition("?")
    parts = [unquote(part) for part in path.split("/")[3:]]
    parameters = [value for _, value in parse_qsl(query)]
    return code in (*parts, *parameters, unquote(fragment))

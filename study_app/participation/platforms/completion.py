"""Return URLs with completion codes."""

import re
from urllib.parse import parse_qs, parse_qsl, quote, unquote, urlencode

from study_app.core.text.languages import rgettext
from study_app.participation.refusals import TaskUnclear

PLACE_OF_CODE = "{code}"
PLACE_OF_PERSON = "{person}"
PARAMETER = "cc"


def return_address(address: str, code: str, person: str = "") -> str:
    """The return URL with the code of an ending, or an empty text.

    The code replaces `{code}`; if the URL has neither that nor the code, it is added as the
    parameter `cc`, for Prolific. The platform ID replaces `{person}`, for SONA.
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
    """The task's return URL for an ending with another code; empty if not possible.

    Parameters
    ----------
    address, code : str
        URL and code of a complete participation.
    """
    if _is_credit(address):
        return ""
    if PLACE_OF_CODE in address:
        return address
    if written_code(address) is not None:
        return re.sub(rf"([?&]{PARAMETER}=)[^&#]*", rf"\1{PLACE_OF_CODE}", address)
    return "" if _holds(address, code) else address


def address_for_part(address: str, complete: str, code: str, person: str) -> str:
    """Where somebody returns after a part that is not the last; empty if it has no code.

    Parameters
    ----------
    address, complete : str
        Address and code of a complete participation.
    code : str
        That of the part.
    person : str
        What the platform calls them.
    """
    return return_address(address_for_other(address, complete), code, person) if code else ""


def written_code(address: str) -> str | None:
    """The code in the parameter `cc` of a completion URL, or None."""
    query = address.partition("#")[0].partition("?")[2]
    written = parse_qs(query).get(PARAMETER)
    return written[-1] if written else None


def agreed_code(address: str, code: str) -> str:
    """The completion code of a task: the one entered, or the one in its completion URL.

    Raises
    ------
    TaskUnclear
        If they differ: participants would see another code than the platform gets.
    """
    written = None if PLACE_OF_CODE in address else written_code(address)
    if code and written is not None and written != code:
        raise TaskUnclear(
            rgettext(
                "The completion URL contains %(parameter)s=%(written)s, but the "
                "completion code is %(code)s; make them the same, or leave the code "
                "empty.",
                parameter=PARAMETER,
                written=written,
                code=code,
            )
        )
    return code or written or ""


def _is_credit(address: str) -> bool:
    """Whether whoever opens the URL is paid, whatever code it has: SONA's, and Connect's."""
    return "webstudy_credit.aspx" in address or "//connect.cloudresearch.com/" in address


def _holds(address: str, code: str) -> bool:
    """Whether the code is a whole part of the path, a whole parameter, or the fragment."""
    before, _, fragment = address.partition("#")
    path, _, query = before.partition("?")
    parts = [unquote(part) for part in path.split("/")[3:]]
    parameters = [value for _, value in parse_qsl(query)]
    return code in (*parts, *parameters, unquote(fragment))

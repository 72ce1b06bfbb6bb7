"""Where somebody who has finished is sent back to, with the completion code."""

from urllib.parse import parse_qs, quote, unquote_plus, urlencode

PLACE_OF_CODE = "{code}"
PARAMETER = "cc"


def return_address(task):
    """The completion address of a task with its code in it; empty where the task has none.

    The code is filled in for `{code}`; where the address has neither that nor the code, it is
    added as the parameter `cc`, as the recruitment platform Prolific reads it.
    """
    address, code = task.completion_url, task.completion_code
    if PLACE_OF_CODE in address:
        return address.replace(PLACE_OF_CODE, quote(code, safe=""))
    if not address or code in unquote_plus(address):
        return address
    before, mark, fragment = address.partition("#")
    query = before.partition("?")[2]
    # A code that the researcher wrote into the address is the one the platform waits for.
    if PARAMETER in parse_qs(query):
        return address
    joint = "" if before.endswith(("?", "&")) else "&" if "?" in before else "?"
    return f"{before}{joint}{urlencode({PARAMETER: code})}{mark}{fragment}"

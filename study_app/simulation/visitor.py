"""A minimal browser: an open connection, cookies, and the CSRF token of the last page."""

import html
import http.client
import json
import re
from typing import Any
from urllib.parse import SplitResult, urlencode, urljoin, urlsplit

from study_app.core.errors import StudyError

TIMEOUT_SECONDS = 60
# The reason on an error page, and in a form that is shown again.
REASON = re.compile(r'<p[^>]* class="refusal"[^>]*>([^<]+)<')


class Refused(StudyError):
    """The served application did not do what a simulated participant asked."""

    def __init__(self, method: str, path: str, status: int, body: str) -> None:
        super().__init__(f"{method} {path} was answered with {status}: {_sentence(body)}")


class ServerUnreachable(StudyError):
    """No server answers at the URL of a link."""

    def __init__(self, address: str, reason: object) -> None:
        super().__init__(
            f"{address} cannot be reached ({reason}); give the full address of an open link and "
            f"check that its server is running."
        )


def _sentence(body: str) -> str:
    """The reason in one line, without the rest of the page."""
    reason = REASON.search(body)
    return " ".join(html.unescape(reason[1] if reason else body).split())[:300]


def _parts(address: str) -> SplitResult:
    """The parts of a URL; refuses a port that is not a number."""
    try:
        parts = urlsplit(address)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return parts
    except ValueError as fault:
        raise ServerUnreachable(address, fault) from fault
    raise ServerUnreachable(address, "it is not a URL")


class Visitor:
    """Sends requests as a browser would."""

    def __init__(self, address: str) -> None:
        self.parts = _parts(address)
        self.cookies: dict[str, str] = {}
        self.csrf = ""
        self.path = "/"
        self.connection: http.client.HTTPConnection | None = None

    def get(self, path: str) -> bytes:
        """Open a page or a picture, following redirects."""
        return self._ask("GET", path, None, {})

    def get_json(self, path: str) -> Any:
        """Fetch JSON, as a script would."""
        return json.loads(self._ask("GET", path, None, {"Accept": "application/json"}))

    def post_form(self, path: str, fields: dict[str, str]) -> bytes:
        """Send a form."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode({"csrf_token": self.csrf, **fields})
        return self._ask("POST", path, body, headers)

    def post_json(self, path: str, sent: Any) -> Any:
        """Send JSON, as a script would, and read the answer."""
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "X-CSRFToken": self.csrf,
        }
        return json.loads(self._ask("POST", path, json.dumps(sent), headers))

    def close(self) -> None:
        """Close the connection."""
        if self.connection:
            self.connection.close()
            self.connection = None

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> bytes:
        answer, content = self._exchange(method, path, body, headers)
        if answer.status in (301, 302, 303):
            target = urlsplit(urljoin(path, answer.headers["Location"]))
            return self._ask("GET", f"{target.path}?{target.query}".rstrip("?"), None, {})
        if answer.status >= 400:
            raise Refused(method, path, answer.status, content.decode(errors="replace"))
        self.path = path
        if answer.headers.get_content_type() == "text/html":
            found = re.search(rb'name="csrf-token" content="([^"]+)"', content)
            self.csrf = found[1].decode() if found else self.csrf
        return content

    def _exchange(
        self, method: str, path: str, body: str | None, headers: dict[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Send one request; reconnects if the server has closed the connection."""
        for attempt in range(2):
            connection = self.connection or self._connect()
            try:
                connection.request(method, path, body, {**headers, **self._cookie()})
                answer = connection.getresponse()
                content = answer.read()
            except (http.client.HTTPException, ConnectionError) as fault:
                self.close()
                if attempt:
                    raise ServerUnreachable(self.parts.netloc, fault) from fault
                continue
            except OSError as fault:
                raise ServerUnreachable(self.parts.netloc, fault) from fault
            for set_cookie in answer.headers.get_all("Set-Cookie", []):
                name, _, value = set_cookie.split(";")[0].partition("=")
                self.cookies[name] = value
            return answer, content
        raise AssertionError("unreachable")

    def _connect(self) -> http.client.HTTPConnection:
        https = self.parts.scheme == "https"
        kind = http.client.HTTPSConnection if https else http.client.HTTPConnection
        self.connection = kind(self.parts.hostname or "", self.parts.port, timeout=TIMEOUT_SECONDS)
        return self.connection

    def _cookie(self) -> dict[str, str]:
        if not self.cookies:
            return {}
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}

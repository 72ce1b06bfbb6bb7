"""The real server in a process of its own, and a researcher who talks to it without a browser."""

import json
import os
import re
import secrets
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from study_app.simulation.visitor import Visitor
from tests.forked import CAN_FORK, Forked, run_forked
from tests.free_port import free_port
from tests.waiting import until

PASSWORD = "a long enough one"


class Served:
    """`sketch-study serve`; it can be killed and started again.

    Started as a user does, or where that is not what a test is about, forked from a process that
    has loaded the packages.
    """

    def __init__(self, instance, environment=None, options=(), is_forked=False):
        self.instance = instance
        self.is_forked = is_forked and CAN_FORK
        self.options = options
        self.environment = environment
        # Chosen here, so that a killed server can be restarted at the same address.
        self.port = free_port(self)
        self.link = None
        self.start()

    def start(self):
        """Start the server and wait until it prints its address."""
        arguments = ["serve", "--instance", str(self.instance), "--port", str(self.port)]
        environment = {**os.environ, **(self.environment or {})}
        begin = Forked if self.is_forked else _begin
        self.process = begin([*arguments, *self.options], environment)
        self.address = self._said(r"Serving at (\S+)")
        self.port = int(self.address.rsplit(":", 1)[1])

    def welcome(self):
        """The one-time link that a fresh server printed."""
        return self._said(r"(http\S+/welcome/\S+)")

    def run(self, *command):
        """Run another command of the installation, such as a backup."""
        arguments = [*map(str, command), "--instance", str(self.instance)]
        said, status = run_forked(arguments, {**os.environ, **(self.environment or {})})
        assert status == 0, said

    def kill(self):
        """End the process without giving it time for anything."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def children(self):
        """The numbers of the processes that the server has started; Linux only."""
        found = []
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            # a thread may end while the list is read
            with suppress(FileNotFoundError):
                found += map(int, (task / "children").read_text().split())
        return found

    def _said(self, pattern):
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            found = re.search(pattern, line)
            if found:
                return found[1]
        raise AssertionError(f"the server ended without saying {pattern}: {''.join(lines)}")


def _begin(arguments, environment):
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "study_app", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env=environment,
    )


class Researcher(Visitor):
    """Signs in with the link of a fresh server, sends files, and waits for jobs."""

    def __init__(self, server):
        super().__init__(server.address)
        path = server.welcome().removeprefix(server.address)
        self.get(path)
        self.post_form(path, {"name": "Ada", "password": PASSWORD})

    def make_study(self):
        """The path of a fresh study."""
        self.post_form("/studies", {"name": "Chairs"})
        return self.path.removesuffix("/sketches/")

    def send_file(self, path, field, content, fields):
        """Send a file with fields, as a script of a page does; gives the answer."""
        mark = secrets.token_hex(16)
        part = f'--{mark}\r\nContent-Disposition: form-data; name="{{}}"{{}}\r\n\r\n'
        body = b"".join(
            part.format(n, "").encode() + v.encode() + b"\r\n" for n, v in fields.items()
        )
        body += part.format(field, '; filename="piece"').encode() + content
        body += f"\r\n--{mark}--\r\n".encode()
        headers = {
            "Content-Type": f"multipart/form-data; boundary={mark}",
            "Accept": "application/json",
            "X-CSRFToken": self.csrf,
        }
        return json.loads(self._ask("POST", path, body, headers))

    def start_import(self, study, name, content, **choices):
        """Send a file and start its import; gives the path of the job."""
        room = self.post_json(f"{study}/sketches/uploads", {})
        self.send_piece(room, 0, name, content)
        page = self.post_json(room["finish"], choices)["page"]
        return f"{study}/jobs/{page.rsplit('/', 1)[1]}"

    def send_piece(self, room, number, name, content, offset=0):
        """Send a piece of a file into an upload."""
        about = json.dumps([{"number": number, "offset": offset, "name": name}])
        self.send_file(room["pieces"], "pieces", content, {"about": about})

    def wait_for(self, job, enough):
        """A job, once `enough` is true for it."""
        return until(lambda: enough(seen := self.get_json(job)) and seen)

"""Ask the server of this container whether it is alive; exit 1 if it is not."""

import os
import sys
import urllib.request

# A server that was given --trusted-host answers under that name only.
HOST = os.environ.get("SITE_HOST", "localhost")
PORT = os.environ.get("SITE_PORT", "8000")

request = urllib.request.Request(f"http://127.0.0.1:{PORT}/healthz", headers={"Host": HOST})
try:
    urllib.request.urlopen(request, timeout=3)
except OSError as fault:
    sys.exit(str(fault))

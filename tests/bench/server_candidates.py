"""One of several HTTP servers with the app: `python -m tests.bench.server_candidates NAME …`."""

import sys
from pathlib import Path

THREADS = 24


def main():
    """Serve an instance with the server that was named, at a port of this machine."""
    name, instance, port, certificate, key = sys.argv[1:]
    from study_app import create_app
    from study_app.core.config import Settings

    secured = (Path(certificate), Path(key)) if certificate else None
    app = create_app(Settings.of(instance))
    globals()[f"serve_{name}"](app, int(port), secured)


def serve_ours(app, port, secured):
    from study_app.operations.http.listener import Counts, Listener
    from study_app.operations.http.server import Server

    Server(app, Listener("127.0.0.1", port, Counts()), secured).run()


def serve_cheroot(app, port, secured):
    from cheroot.ssl.builtin import BuiltinSSLAdapter
    from cheroot.wsgi import Server

    server = Server(("127.0.0.1", port), app, numthreads=THREADS, request_queue_size=256)
    server.keep_alive_conn_limit = 400
    if secured:
        server.ssl_adapter = BuiltinSSLAdapter(*map(str, secured))
    server.start()


def serve_waitress(app, port, secured):
    from waitress import serve

    if secured:
        raise SystemExit("no TLS")
    serve(app, listen=f"127.0.0.1:{port}", threads=THREADS, connection_limit=1000, _quiet=True)


def serve_hypercorn(app, port, secured):
    import asyncio

    from hypercorn.asyncio import serve
    from hypercorn.config import Config

    config = Config()
    config.bind = [f"127.0.0.1:{port}"]
    if secured:
        config.certfile, config.keyfile = map(str, secured)
    asyncio.run(serve(app, config, mode="wsgi"))


def serve_gunicorn(app, port, secured):
    from gunicorn.app.base import BaseApplication

    class Gunicorn(BaseApplication):
        def load_config(self):
            options = {"bind": f"127.0.0.1:{port}", "worker_class": "gthread", "threads": THREADS}
            if secured:
                options |= {"certfile": str(secured[0]), "keyfile": str(secured[1])}
            for option, chosen in options.items():
                self.cfg.set(option, chosen)

        def load(self):
            return app

    Gunicorn().run()


def loaded(_target):
    """The app anew, as granian asks for it in its own process."""
    from study_app import create_app
    from study_app.core.config import Settings

    return create_app(Settings.of(sys.argv[2]))


def serve_granian(_app, port, secured):
    from granian import Granian

    options = {}
    if secured:
        options = {"ssl_cert": secured[0], "ssl_key": secured[1]}
    server = Granian(
        "tests.bench.server_candidates", address="127.0.0.1", port=port, interface="wsgi",
        blocking_threads=THREADS, log_enabled=False, **options,
    )  # fmt: skip
    server.serve(target_loader=loaded)


if __name__ == "__main__":
    main()

"""The HTTP server: limits on requests are enforced before the application sees them.

listener   limits the connections, in all and from one address
protocol   limits the length and the duration of headers
gate       limits the length and the duration of bodies, then runs the application in a thread
server     all of these, for `serve`, `demo`, `simulate` and the tests
"""

"""The HTTP server: what it accepts is bounded before the application sees it.

listener   connections, so many from one address
protocol   headers, so long and within so many seconds
gate       bodies, so long and within so many seconds; then the application, in a thread
server     these together, for `serve`, `demo`, `simulate` and the tests
"""

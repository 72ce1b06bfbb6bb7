"""The pages of a participant; the token in the address says who is asking."""

from flask import Blueprint

blueprint = Blueprint("participate", __name__, url_prefix="/take-part")

"""What every table shares: names for constraints, and times in UTC."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, MetaData, TypeDecorator
from sqlalchemy.orm import DeclarativeBase


def now():
    """This moment, in UTC."""
    return datetime.now(UTC)


class Moment(TypeDecorator):
    """A point in time: stored as naive UTC, given back with its zone."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value, dialect):
        return value.astimezone(UTC).replace(tzinfo=None) if value else None

    def process_result_value(self, value, dialect):
        return value.replace(tzinfo=UTC) if value else None


class Base(DeclarativeBase):
    """The declarative base; every constraint is named, so that a migration can drop it."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )

"""What every table shares: names for constraints, and times in UTC."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect, Index, MetaData, TypeDecorator, text
from sqlalchemy.orm import DeclarativeBase


def now() -> datetime:
    """The current time in UTC."""
    return datetime.now(UTC)


class Moment(TypeDecorator[datetime]):
    """A point in time: stored as naive UTC, returned with its time zone."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC).replace(tzinfo=None) if value else None

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value else None


def index_of_some(name: str, column: str, condition: str) -> Index:
    """An index of the few rows that meet an SQL condition; other rows cost nothing when saved."""
    some = text(condition)
    return Index(name, column, sqlite_where=some, postgresql_where=some)


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

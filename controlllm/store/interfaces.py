"""What a store needs of the database and of the programs' presence below it.

Files have no interface of their own: `controlllm.store.files.FileFolder` is it, and
`controlllm.store.bucket_files.BucketFiles` is a folder before a bucket.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Rows(Protocol):
    """What a statement has found."""

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """Runs statements, in the SQL that SQLite and PostgreSQL have in common; ``?`` is a value."""

    def execute(self, statement: str, values: Sequence[Any] = ..., /) -> Rows: ...

    def executemany(self, statement: str, values: Iterable[Sequence[Any]], /) -> object: ...


class AnyDatabase(Protocol):
    """A database that many threads and programs use at once. Its errors come out as StoreError.

    `listed` is a query for the members of a JSON list of strings that is given as one value;
    `for_update` ends a query whose row is about to be changed.
    """

    listed: str
    for_update: str

    def transaction(
        self, is_urgent: bool = True, is_alone: bool = True
    ) -> AbstractContextManager[Connection]:
        """Everything inside happens, or, where it raises, nothing.

        What is not urgent may be lost by a power cut until something urgent is kept. Nobody else
        writes meanwhile; with `is_alone` false others may who say so too, where rows that are read
        to be changed are read with `for_update`.
        """

    def reading(self) -> AbstractContextManager[Connection]:
        """The connection for a single question."""

    def check(self) -> None:
        """Raise StoreError where something of it is gone; asks little, so it may be asked often."""

    def check_whole(self) -> None:
        """The same, looking at all that is kept, as far as that is done here."""

    def settle(self) -> None:
        """Have all that is kept lie in one place, as far as others let it; never raises."""

    def close(self) -> None: ...


class AnyPresence(Protocol):
    """The programs that use a store, each by a name of its own."""

    @property
    def name(self) -> str:
        """The name of this program; from the first time on others see that it is alive."""

    def is_elsewhere(self, name: str) -> bool:
        """Whether another program of this name is alive."""

    def remove_dead(self) -> None:
        """Forget the programs that have ended."""

    def leave(self) -> None:
        """This program has let go of all its work."""

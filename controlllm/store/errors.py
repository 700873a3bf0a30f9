"""What can go wrong while something is kept, said to the person who can do something about it."""

from __future__ import annotations

import errno
import sqlite3


class StoreError(Exception):
    """Something could not be kept or read. The message is a sentence that says what to do."""


class UnreadableConversation(StoreError):
    """A single conversation cannot be read any more; everything else can."""


class DiskFull(StoreError):
    """There is no room left on the disk."""


#: What is said where a request is changed that is another program's.
ELSEWHERE = "Another program works on this request. Wait until it has ended, and try again."
LOST = (
    "This program had lost touch with the database, and another has taken this request over. Load "
    "the page again to see how it goes on."
)

DAMAGED = (
    "The sessions' database is damaged. Put a copy of it back, or move the sessions' folder away, "
    "and start again."
)
_FULL = "The disk is full, so nothing more can be kept. Make some room and try again."
_READ_ONLY = "The sessions' folder cannot be written to. Check its permissions."
#: What SQLite says, and what that means.
_OF_DATABASE = {
    **dict.fromkeys(
        ("locked", "busy"), "Another program is using the sessions' database. Try again."
    ),
    **dict.fromkeys(("readonly", "unable to open"), _READ_ONLY),
    **dict.fromkeys(
        ("malformed", "not a database", "no such table", "no such column", "already exists"),
        DAMAGED,
    ),
}


def told(error: OSError | sqlite3.Error) -> StoreError:
    """The StoreError that says in words what an error of the disk or the database means."""
    if isinstance(error, sqlite3.Error):
        words = str(error).lower()
        if "full" in words:
            return DiskFull(_FULL)
        said = "The sessions' database did not do its work. Start the program again."
        return StoreError(next((_OF_DATABASE[key] for key in _OF_DATABASE if key in words), said))
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(_FULL)
    if error.errno == errno.EFBIG:
        return StoreError(
            "A file would be larger than one may be here. Try a smaller or shorter one."
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StoreError(_READ_ONLY)
    reason = (error.strerror or "unknown reason").lower()
    return StoreError(f"A file could not be kept ({reason}). Check the disk and try again.")

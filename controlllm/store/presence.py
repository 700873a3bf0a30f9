"""Which programs that share a store are alive: each holds a lock that the system lets go with it.

That holds however a program ends, through restarts of the machine and from container to container,
where the numbers of processes mean nothing.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from controlllm.store.errors import told


@dataclass
class Presence:
    """The programs that use a store, each by a name of its own: a locked file in `folder`."""

    folder: Path
    _descriptor: int = -1
    _name: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """The name of this program; from the first time on others see that it is alive."""
        with self._lock:
            try:
                while not self._name:
                    self._name = self._held(secrets.token_hex(8))
            except OSError as error:
                raise told(error) from error
            return self._name

    def is_elsewhere(self, name: str) -> bool:
        """Whether another program of this name is alive."""
        if name == self._name:
            return False
        try:
            descriptor = os.open(self.folder / name, os.O_RDWR)
        except OSError:
            return False
        try:
            # Shared, so that two who look at once do not take each other for the owner.
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(descriptor)
        return False

    def remove_dead(self) -> None:
        """Remove the files of programs that have ended."""
        for path in self.folder.glob("*"):
            if path.name != self._name and not self.is_elsewhere(path.name):
                with suppress(OSError):
                    path.unlink()

    def leave(self) -> None:
        """This program has let go of all its work."""
        with self._lock:
            if self._name:
                with suppress(OSError):
                    (self.folder / self._name).unlink()
                os.close(self._descriptor)
                self._name, self._descriptor = "", -1

    def _held(self, name: str) -> str:
        """The name, with its file locked; empty where another program took it for a dead one's."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        path = self.folder / name
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(descriptor).st_nlink:
                self._descriptor = descriptor
                return name
        except OSError:
            pass
        os.close(descriptor)
        return ""

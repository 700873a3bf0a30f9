"""How much memory this process takes while something runs."""

from __future__ import annotations

import threading

from controlllm.models.residence import resident_size

_PAUSE = 0.01


class MemoryWatch:
    """Watches how much more memory, in MiB, this process takes than at the beginning (`most`)."""

    def __enter__(self) -> MemoryWatch:
        self.most = 0
        self._before = resident_size()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            self.most = max(self.most, round((resident_size() - self._before) / 2**20))
            if self._ended.wait(_PAUSE):
                return

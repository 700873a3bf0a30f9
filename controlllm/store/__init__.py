"""Where conversations, their files and the results of tools are kept."""

from controlllm.store.errors import StoreError, told
from controlllm.store.store import Store, default_home

__all__ = ["Store", "StoreError", "default_home", "told"]

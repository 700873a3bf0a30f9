"""Where conversations, their files and the results of tools are kept."""

from controlllm.store.backends import Backends
from controlllm.store.errors import StoreError, UnreadableConversation, told
from controlllm.store.shelf import Kept, Shelf
from controlllm.store.store import Store

__all__ = ["Backends", "Kept", "Shelf", "Store", "StoreError", "UnreadableConversation", "told"]

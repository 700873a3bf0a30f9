"""Everything about model files: those that ship, those to download, and keeping them loaded.

`shipped` knows the files that come with the program or inside its packages, `residence` keeps what
is loaded, `encoder` is the one model that many parts share, and `weights` fetches larger ones when
somebody asks for them.
"""

from controlllm.models.residence import release_models, resident
from controlllm.models.shipped import (
    MODEL_FOLDER,
    Model,
    ModelFile,
    ModelFileError,
    State,
    onnx_session,
)

__all__ = [
    "MODEL_FOLDER",
    "Model",
    "ModelFile",
    "ModelFileError",
    "State",
    "onnx_session",
    "release_models",
    "resident",
]

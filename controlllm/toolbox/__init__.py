"""Tools, their implementations, and the toolbox that holds them.

A tool is a promise: a description, a domain, typed arguments and a return (paper Sec. 3.2.1). An
implementation keeps it on one runtime. Authors write both with the `tool` decorator::

    @tool(domain="image-editing", examples=["Erase the car from this photo."])
    def image_inpainting(image: Image, mask: Mask) -> Image:
        \"\"\"Fill the masked area so that it matches what surrounds it.\"\"\"

    @image_inpainting.implementation("embedded")
    def _(image, mask): ...

    @image_inpainting.implementation("hub", weights={"model": INPAINTING}, packages=DIFFUSERS)
    def _(image, mask, context): ...  # context.weights["model"] is the folder of the weights

A function with a body is its own embedded implementation.
"""

from controlllm.core.reasons import Reason
from controlllm.toolbox.context import (
    Cancelled,
    Code,
    Context,
    GivenFile,
    ToolError,
    Unavailable,
    Undecided,
)
from controlllm.toolbox.definitions import DefinitionError, ToolDefinition, tool
from controlllm.toolbox.implementations import RUNTIMES, Check, Choice, Implementation, Runtime
from controlllm.toolbox.toolbox import (
    PACKAGE_FOLDER,
    Toolbox,
    definitions_in,
    read_catalogue,
)
from controlllm.toolbox.tools import A_NUMBER, DOMAINS, Argument, Parameter, Tool

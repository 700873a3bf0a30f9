"""Make the recording and the video of ``assets/examples`` with the project's own tools.

python -m scripts.make_example_media
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import PIL.Image
import soundfile

from controlllm.layout import ASSETS
from controlllm.toolbox import Context, Toolbox

FOLDER = ASSETS / "examples"
SAID = (
    "This is the launch of a rocket in Florida. Watch how it stands between the towers before it "
    "lifts off."
)
CAMERA = "slow pan to the right and zoom in for six seconds"


def main() -> None:
    toolbox = Toolbox.load()
    with tempfile.TemporaryDirectory() as folder:
        context = Context(folder=Path(folder))
        sound = toolbox.available("text_to_speech")[0].run({"text": SAID}, context)
        target = FOLDER / "commentary.ogg"
        soundfile.write(target, sound.samples, sound.rate, format="OGG", subtype="VORBIS")
        picture = PIL.Image.open(FOLDER / "rocket.jpg").convert("RGB")
        picture.thumbnail((480, 360))
        inputs = {"image": picture, "prompt": CAMERA}
        clip = toolbox.available("image_to_video")[0].run(inputs, context)
        shutil.copyfile(clip.path, FOLDER / "launch.mp4")


if __name__ == "__main__":
    main()

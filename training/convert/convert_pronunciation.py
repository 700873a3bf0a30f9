"""Make the two files from which the app pronounces English.

``assets/models/english-lexicon.json.gz`` holds the American dictionaries of the pip package
``misaki`` as one; ``assets/models/english-spelling.npz`` holds the network of the pip package
``g2p-en`` that guesses how other words sound, at half precision. Only the data are read, so the
packages' own dependencies are not needed::

    python -m venv build/pronunciation
    build/pronunciation/bin/pip install numpy==2.4.6
    build/pronunciation/bin/pip install --no-deps misaki==0.9.4 g2p-en==2.1.0
    build/pronunciation/bin/python training/convert/convert_pronunciation.py
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib.util
import json
from pathlib import Path

import numpy as np

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "models"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=ASSETS, help="where the files are written")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)

    dictionaries = package_folder("misaki") / "data"
    # The second is checked by hand, so it has the last word.
    lexicon: dict[str, object] = {}
    for name in ("us_silver.json", "us_gold.json"):
        lexicon |= json.loads((dictionaries / name).read_text(encoding="utf-8"))
    words = {word: simplified(sounds) for word, sounds in sorted(lexicon.items())}
    plain = json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()
    write(folder / "english-lexicon.json.gz", gzip.compress(plain, 9, mtime=0))

    weights = np.load(package_folder("g2p_en") / "checkpoint20.npz")
    target = folder / "english-spelling.npz"
    np.savez(target, **{name: weights[name].astype(np.float16) for name in weights.files})
    write(target, target.read_bytes())


def simplified(sounds: object) -> object:
    """A string, or a table of the sounds as each part of speech."""
    if not isinstance(sounds, dict):
        return sounds
    return {kind: sound for kind, sound in sounds.items() if sound is not None}


def package_folder(package: str) -> Path:
    """Where a package lies, found without importing it."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise SystemExit(f"Install {package} first; see the top of this script.")
    return Path(found.origin).parent


def write(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    print(f"{path.name}  {len(content) / 1e6:.2f} MB  sha256 {digest}")


if __name__ == "__main__":
    main()

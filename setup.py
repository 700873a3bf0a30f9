"""What pyproject.toml cannot say: tools and assets lie beside the package, and belong inside it.

So nothing called `tools` or `assets` stands beside what others install.
"""

import tomllib
from pathlib import Path

from setuptools import find_namespace_packages, setup

BESIDE = ("assets", "tools")
#: Groups of pyproject.toml that whoever installs the package may ask for.
OFFERED = ("cluster", "shared", "traces")

groups = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["dependency-groups"]

setup(
    packages=[
        *find_namespace_packages(include=["controlllm", "controlllm.*"]),
        *(
            name
            for folder in BESIDE
            for name in (
                f"controlllm.{folder}",
                *(f"controlllm.{folder}.{room}" for room in find_namespace_packages(folder)),
            )
        ),
    ],
    package_dir={f"controlllm.{folder}": folder for folder in BESIDE},
    package_data={"": ["*"]},
    extras_require={name: groups[name] for name in OFFERED},
)

"""What pyproject.toml cannot say: the assets lie beside the package and are installed inside it."""

from setuptools import find_namespace_packages, setup

ASSETS = "controlllm.assets"
FOLDERS = find_namespace_packages("assets")

setup(
    packages=[
        *find_namespace_packages(include=["controlllm", "controlllm.*"]),
        ASSETS,
        *(f"{ASSETS}.{folder}" for folder in FOLDERS),
    ],
    package_dir={ASSETS: "assets"},
    package_data={"": ["*"]},
)

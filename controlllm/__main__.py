"""``python -m controlllm``."""

import sys

from controlllm.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

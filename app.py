"""The web page's front door in a checkout; `controlllm serve` is the same."""

from controlllm.serve import main

if __name__ == "__main__":
    main()

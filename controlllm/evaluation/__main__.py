"""``python -m controlllm.evaluation`` prints the speed table."""

from controlllm.evaluation.speed import measured, table

if __name__ == "__main__":
    print(table(measured()))

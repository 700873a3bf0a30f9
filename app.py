"""The web app: `python app.py` serves it, `gradio app.py` anew with each change of its code;
`controlllm serve` is the same where it is installed."""

from controlllm.serve import begun

# A gr.Blocks. The port answers from here on, with a page that waits for the rest.
demo = begun(listens=__name__ == "__main__")

if __name__ == "__main__":
    demo.launch()

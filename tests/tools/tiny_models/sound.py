"""Tiny models with random weights of the families that hear, speak and compose."""

from __future__ import annotations

import json
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.tools.tiny_models.language import SIGNS
from tests.tools.tiny_models.parts import (
    READS_AND_WRITES,
    SHALLOW,
    THIN,
    diffusers,
    numbered,
    tokenizers,
    transformers,
    word_pieces,
)
from tools.hub import catalogue_language_and_sound as catalogue


def _whisper(folder: Path) -> None:
    words = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    special = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|de|>", "<|transcribe|>"]
    special += ["<|translate|>", "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>"]
    tokenizer = transformers.WhisperTokenizer(vocab=numbered(words), merges=[])
    tokenizer.add_tokens(special, special_tokens=True)
    known = {word: int(tokenizer.convert_tokens_to_ids(word)) for word in special}
    extractor = transformers.WhisperFeatureExtractor(feature_size=80)
    transformers.WhisperProcessor(extractor, tokenizer).save_pretrained(folder)
    model = transformers.WhisperForConditionalGeneration(
        transformers.WhisperConfig(
            vocab_size=len(tokenizer),
            num_mel_bins=80,
            **READS_AND_WRITES,
            max_target_positions=48,
            decoder_start_token_id=known["<|startoftranscript|>"],
            bos_token_id=known["<|endoftext|>"],
            eos_token_id=known["<|endoftext|>"],
            pad_token_id=known["<|endoftext|>"],
        )
    )
    settings = model.generation_config
    # Else they are made anew from the model's configuration when it is loaded.
    settings._from_model_config = False
    settings.lang_to_id = {word: known[word] for word in ("<|en|>", "<|de|>")}
    settings.task_to_id = {word: known[f"<|{word}|>"] for word in ("transcribe", "translate")}
    settings.no_timestamps_token_id = known["<|notimestamps|>"]
    settings.is_multilingual = True
    settings.begin_suppress_tokens = None
    # A random model would else say nothing but bytes that are no letters.
    spoken = set(tokenizer.convert_tokens_to_ids(list(string.ascii_letters)))
    settings.suppress_tokens = [
        number for number in range(len(tokenizer)) if number not in spoken | set(known.values())
    ]
    model.save_pretrained(folder)


def _vits(folder: Path) -> None:
    signs = ["<pad>", *" .,;:!?ˈˌːæɑɐɔəɚɛɜɝɡɪŋɹɾʃʊʌʒθðᵻ", *string.ascii_lowercase, "<unk>"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "signs.json").write_text(json.dumps(numbered(signs)))
    # As published: it would turn words into phonemes by itself, with a program of its own.
    tokenizer = transformers.VitsTokenizer(
        str(folder / "signs.json"), pad_token="<pad>", phonemize=True
    )
    tokenizer.save_pretrained(folder)
    transformers.VitsModel(
        transformers.VitsConfig(
            vocab_size=len(signs),
            **SHALLOW,
            ffn_dim=16,
            flow_size=16,
            spectrogram_bins=9,
            prior_encoder_num_flows=1,
            prior_encoder_num_wavenet_layers=1,
            posterior_encoder_num_wavenet_layers=1,
            duration_predictor_num_flows=1,
            duration_predictor_filter_channels=16,
            depth_separable_num_layers=1,
            upsample_initial_channel=16,
            upsample_rates=[8, 8],
            upsample_kernel_sizes=[16, 16],
            resblock_kernel_sizes=[3],
            resblock_dilation_sizes=[[1, 3]],
            sampling_rate=22050,
        )
    ).save_pretrained(folder)


def _bark(folder: Path) -> None:
    import numpy as np

    tokenizer = word_pieces(SIGNS, do_lower_case=False)
    tokenizer.save_pretrained(folder)
    layers = {
        "block_size": 1100,
        "num_layers": 1,
        "num_heads": 2,
        "hidden_size": 16,
    }
    semantic = transformers.BarkSemanticConfig(
        input_vocab_size=300, output_vocab_size=101, **layers
    )
    coarse = transformers.BarkCoarseConfig(input_vocab_size=160, output_vocab_size=160, **layers)
    fine = transformers.BarkFineConfig(
        input_vocab_size=17, output_vocab_size=16, n_codes_total=4, n_codes_given=1, **layers
    )
    codec = transformers.EncodecConfig(
        hidden_size=16,
        num_filters=4,
        codebook_size=16,
        codebook_dim=16,
        num_lstm_layers=1,
        upsampling_ratios=[4, 2],
        target_bandwidths=[60.0],
    )
    model = transformers.BarkModel(
        transformers.BarkConfig(
            semantic_config=semantic.to_dict(),
            coarse_acoustics_config=coarse.to_dict(),
            fine_acoustics_config=fine.to_dict(),
            codec_config=codec.to_dict(),
        )
    )
    model.generation_config = transformers.GenerationConfig()
    model.save_pretrained(folder)
    # Settings of this kind can be read but no longer be written by the library.
    settings = {
        "model_type": "bark",
        "semantic_config": {
            "eos_token_id": 100,
            "text_encoding_offset": 101,
            "text_pad_token": 250,
            "semantic_pad_token": 100,
            "semantic_infer_token": 251,
            "semantic_vocab_size": 100,
            "max_input_semantic_length": 256,
            "semantic_rate_hz": 49.9,
            "max_new_tokens": 12,
        },
        "coarse_acoustics_config": {
            "coarse_semantic_pad_token": 141,
            "coarse_rate_hz": 75,
            "n_coarse_codebooks": 2,
            "coarse_infer_token": 142,
            "max_coarse_input_length": 256,
            "max_coarse_history": 630,
            "sliding_window_len": 60,
        },
        "fine_acoustics_config": {
            "max_fine_history_length": 512,
            "max_fine_input_length": 1024,
            "n_fine_codebooks": 4,
        },
        "sample_rate": 24_000,
        "codebook_size": 16,
    }
    (folder / "generation_config.json").write_text(json.dumps(settings))
    voices = folder / "speaker_embeddings" / "v2"
    voices.mkdir(parents=True)
    chance = np.random.default_rng(1)
    shapes = {"semantic_prompt": (40,), "coarse_prompt": (2, 60), "fine_prompt": (4, 60)}
    for language in ("en", "de"):
        for part, shape in shapes.items():
            np.save(voices / f"{language}_speaker_6_{part}.npy", chance.integers(0, 16, shape))


def _ace_step(folder: Path) -> None:
    from diffusers.pipelines.ace_step.modeling_ace_step import AceStepConditionEncoder

    signs = ["<|endoftext|>", "<unk>", *string.ascii_letters, *string.digits, *" #.,:[]"]
    inner = tokenizers.Tokenizer(
        tokenizers.models.BPE(vocab=numbered(signs), merges=[], unk_token="<unk>")
    )
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<|endoftext|>", unk_token="<unk>"
    )
    width: dict[str, Any] = {"num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 8}
    width |= {"hidden_size": 16, "intermediate_size": 16}
    text_encoder = transformers.Qwen3Model(
        transformers.Qwen3Config(
            vocab_size=len(signs),
            num_hidden_layers=1,
            **width,
        )
    )
    transformer = diffusers.AceStepTransformer1DModel(
        num_hidden_layers=2,
        in_channels=24,
        audio_acoustic_hidden_dim=8,
        sliding_window=16,
        is_turbo=True,
        **width,
    )
    condition_encoder = AceStepConditionEncoder(
        text_hidden_dim=16,
        timbre_hidden_dim=8,
        num_lyric_encoder_hidden_layers=1,
        num_timbre_encoder_hidden_layers=1,
        sliding_window=16,
        **width,
    )
    vae = diffusers.AutoencoderOobleck(
        encoder_hidden_size=4,
        downsampling_ratios=[2, 4, 8],
        channel_multiples=[1, 2, 2],
        decoder_channels=4,
        decoder_input_channels=8,
        audio_channels=2,
        sampling_rate=1600,
    )
    scheduler = diffusers.FlowMatchEulerDiscreteScheduler()
    diffusers.AceStepPipeline(
        vae, text_encoder, tokenizer, transformer, condition_encoder, scheduler
    ).save_pretrained(folder)


def _ast(folder: Path) -> None:
    transformers.ASTFeatureExtractor(num_mel_bins=32, max_length=64).save_pretrained(folder)
    transformers.ASTForAudioClassification(
        transformers.ASTConfig(
            **THIN,
            num_mel_bins=32,
            max_length=64,
            id2label={0: "Speech", 1: "Dog", 2: "Music", 3: "Siren"},
        )
    ).save_pretrained(folder)


BUILDERS: dict[str, Callable[[Path], None]] = {
    **{weights.repository: _whisper for weights in catalogue.LISTENERS.values()},
    catalogue.VOICES["small"].repository: _vits,
    catalogue.VOICES["usual"].repository: _bark,
    catalogue.COMPOSERS["usual"].repository: _ace_step,
    catalogue.SOUND_CLASSES["usual"].repository: _ast,
}

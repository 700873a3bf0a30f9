"""How the page looks, light and dark: a theme of Gradio, and the style that no theme says."""

from __future__ import annotations

from pathlib import Path

import gradio as gr

_TEAL = gr.themes.Color(
    name="teal", c50="#eef8f6", c100="#def0ed", c200="#bfe0db", c300="#9ccfc9", c400="#66cdc3",
    c500="#2a9690", c600="#0d6e70", c700="#0b5f61", c800="#0a4e50", c900="#083e40", c950="#06211f",
)  # fmt: skip
_SAND = gr.themes.Color(
    name="sand", c50="#f6f5f1", c100="#efede6", c200="#e0ddd3", c300="#c9c5b8", c400="#8b9699",
    c500="#6b777b", c600="#58656a", c700="#2a363a", c800="#182023", c900="#101618", c950="#0c1113",
)  # fmt: skip
#: What a person has on their machine: nothing is fetched from elsewhere.
_SANS = ["-apple-system", "Segoe UI", "Roboto", "Noto Sans", "Liberation Sans", "system-ui"]

#: Colours by day and by night.
_COLOURS = {
    "body_background_fill": ("#f6f5f1", "#101618"),
    "background_fill_primary": ("#ffffff", "#182023"),
    "background_fill_secondary": ("#efede6", "#0c1113"),
    "body_text_color": ("#1b2527", "#e7eded"),
    "body_text_color_subdued": ("#58656a", "#9fadb0"),
    "border_color_primary": ("#e0ddd3", "#2a363a"),
    "block_background_fill": ("transparent", "transparent"),
    "color_accent_soft": ("#def0ed", "#163634"),
    "button_primary_background_fill": ("#0d6e70", "#66cdc3"),
    "button_primary_text_color": ("#ffffff", "#06211f"),
    "button_secondary_background_fill": ("#ffffff", "#182023"),
    "button_secondary_border_color": ("#c9c5b8", "#435257"),
    "input_background_fill": ("#ffffff", "#182023"),
}

THEME = gr.themes.Base(
    primary_hue=_TEAL,
    secondary_hue=_TEAL,
    neutral_hue=_SAND,
    radius_size="lg",
    text_size="md",
    font=[*_SANS, "sans-serif"],
    font_mono=["ui-monospace", "DejaVu Sans Mono", "monospace"],
).set(
    block_border_width="0px",
    block_shadow="none",
    color_accent="#0d6e70",
    button_primary_background_fill_hover_dark="#8fdcd4",
    **{name: light for name, (light, _) in _COLOURS.items()},
    **{f"{name}_dark": dark for name, (_, dark) in _COLOURS.items()},
)


def head() -> str:
    """What stands before the page's components: their style, and what their scripts share.

    The style is a sheet of its own: Gradio would put each rule below its own container, in which
    dialogs do not lie.
    """
    shared = (Path(__file__).parent / "components" / "shared.js").read_text()
    return (
        '<meta name="color-scheme" content="light dark">'
        '<link rel="stylesheet" href="/page/style.css">'
        f"<script>{shared}</script>"
    )

"""Small line icons, drawn for this page on a 24 x 24 grid."""

from __future__ import annotations

_PATHS = {
    "image": '<rect x="3" y="4" width="18" height="16" rx="3"/><circle cx="8.5" cy="9.5" r="1.7"/>'
    '<path d="m4 18 5.5-5 3.5 3 3-2.5 4.5 4"/>',
    "audio": '<path d="M4 10v4M8 6.5v11M12 3.5v17M16 7.5v9M20 10.5v3"/>',
    "video": '<rect x="3" y="5" width="18" height="14" rx="3"/><path d="m10 9 5 3-5 3z"/>',
    "text": '<path d="M5 6h14M5 10.7h14M5 15.3h10M5 20h6"/>',
    "html": '<path d="m8 7-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14"/>',
    "mask": '<rect x="3" y="3" width="18" height="18" rx="3" stroke-dasharray="3 2.6"/>'
    '<path d="M8 13c0-3 2-5 4.5-5S16 9.5 16 12s-1 4-4 4-4-1-4-3z" fill="currentColor"/>',
    "point": '<circle cx="12" cy="12" r="6.5"/><path d="M12 2.5v5M12 16.5v5M2.5 12h5M16.5 12h5"/>',
    "box": '<path d="M4 8V5.5A1.5 1.5 0 0 1 5.5 4H8M16 4h2.5A1.5 1.5 0 0 1 20 5.5V8M20 '
    '16v2.5a1.5 1.5 0 0 1-1.5 1.5H16M8 20H5.5A1.5 1.5 0 0 1 4 18.5V16"/>',
    "number": '<path d="M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16"/>',
    "sliders": '<path d="M4 7h9M18 7h2M4 17h2M11 17h9"/><circle cx="15.5" cy="7" r="2.5"/>'
    '<circle cx="8.5" cy="17" r="2.5"/>',
    "wrench": '<path d="M14.5 6.5a4.5 4.5 0 0 1 5.7-1.2l-3 3 .5 2 2 .5 3-3a4.5 4.5 0 0 1-6.2 '
    '5.3L9 20.5a2.3 2.3 0 0 1-3.5-3.3l7.5-7.5a4.5 4.5 0 0 1 1.5-3.2z" '
    'transform="translate(-1.5 0)"/>',
    "plus": '<path d="M12 5v14M5 12h14"/>',
    "minus": '<path d="M5 12h14"/>',
    "clip": '<path d="m20 11.5-8 8a5 5 0 0 1-7.1-7.1l8.3-8.3a3.4 3.4 0 0 1 4.8 4.8l-8.2 '
    '8.2a1.7 1.7 0 0 1-2.4-2.4l7.4-7.4"/>',
    "send": '<path d="M12 20V5M5.5 11.5 12 5l6.5 6.5"/>',
    "stop": '<rect x="7" y="7" width="10" height="10" rx="2" fill="currentColor"/>',
    "check": '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
    "cross": '<path d="m6.5 6.5 11 11M17.5 6.5l-11 11"/>',
    "wait": '<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>',
    "spin": '<path d="M12 4a8 8 0 1 1-7.4 5"/>',
    "copy": '<path d="M9 8.5h10.5V20H9zM15 8.5V4H4.5v11.5H9"/>',
    "again": '<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4v5h-5"/>',
    "arrow": '<path d="M4 12h15M13.5 6.5 19 12l-5.5 5.5"/>',
    "download": '<path d="M12 4v11M7 10.5l5 5 5-5M4.5 20h15"/>',
    "open": '<path d="M13.5 4.5h6v6M19.5 4.5l-8 8M10 5H6.5A2 2 0 0 0 4.5 7v10.5a2 2 0 0 0 2 '
    '2H17a2 2 0 0 0 2-2V14"/>',
    "files": '<path d="M4 7.5A2.5 2.5 0 0 1 6.5 5H9l2.5 2.5h6A2.5 2.5 0 0 1 20 10v6.5a2.5 '
    '2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 4 16.5z"/>',
    "frame": '<path d="M4.5 6.5h15v11h-15z" stroke-dasharray="3.2 2.4"/>',
    "brush": '<path d="M14 4.5 19.5 10l-7 7a4 4 0 0 1-3 1.2L5 18.5l.3-4.5A4 4 0 0 1 6.5 11z"/>'
    '<path d="M4 21.5c4-2.5 8 1 14-1"/>',
    "eraser": '<path d="m8 18.5-4-4a1.5 1.5 0 0 1 0-2l8-8a1.5 1.5 0 0 1 2 0l5.5 5.5a1.5 1.5 0 0 1 '
    '0 2l-6.5 6.5zM8 18.5h12M8.5 8l7 7"/>',
    "undo": '<path d="M8.5 5 4 9.5 8.5 14M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3"/>',
    "trash": '<path d="M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 12.5h9l1-12.5M10 11v5M14 11v5"/>',
    "graph": '<circle cx="5" cy="6" r="2.3"/><circle cx="5" cy="18" r="2.3"/>'
    '<circle cx="19" cy="12" r="2.3"/><path d="M7.3 6.5c5 .8 5 4 9.4 5M7.3 17.5c5-.8 5-4 9.4-5"/>',
    "steps": '<path d="M3.5 19.5h5v-5h5v-5h5v-5h2.5"/>',
    "star": '<path d="m12 3.8 2.5 5.3 5.7.7-4.2 4 1.1 5.8-5.1-2.9-5.1 2.9 1.1-5.8-4.2-4 5.7-.7z"/>',
    "pen": '<path d="m5 19 1-4L16.5 4.5a2.1 2.1 0 0 1 3 3L9 18l-4 1zM14.5 6.5l3 3"/>',
    "pin": '<path d="M9 3.5h6l-.8 6.2 3.3 3.8h-11l3.3-3.8zM12 13.5V21"/>',
    "info": '<circle cx="12" cy="12" r="8.5"/><path d="M12 11v5M12 7.8v.2"/>',
    "pencil": '<path d="M4.5 19.5 6 14 16 4l4 4-10 10zM13.5 6.5l4 4"/>',
    "search": '<circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/>',
    "share": '<path d="M12 15V4M7.5 8 12 3.5 16.5 8M5 12.5v7h14v-7"/>',
    "compare": '<path d="M12 3v18M4 6.5h5v11H4zM15 6.5h5v11h-5z"/>',
    "clock": '<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5l3.5 2"/>',
    "leaves": '<path d="M7 17 17 7M9 7h8v8"/>',
    "play": '<path d="M8 5.5v13l10-6.5z"/>',
    "pause": '<path d="M8.5 5.5v13M15.5 5.5v13"/>',
    "more": '<path d="M6 12h.01M12 12h.01M18 12h.01" stroke-width="3"/>',
}

_TYPE_ICONS = {
    "audio": "audio", "video": "video", "html": "html", "mask": "mask", "segmentation": "mask",
    "point": "point", "bbox": "box", "number": "number", "text": "text", "document": "text",
    "table": "number", "title": "text", "tags": "text", "category": "text", "files": "files",
    "archive": "files",
}  # fmt: skip
#: How far a step is.
STATE_ICONS = {
    "waiting": "wait", "running": "spin", "done": "check", "failed": "cross", "stopped": "stop",
}  # fmt: skip


def icon(name: str, classes: str = "") -> str:
    """The icon as inline SVG; it says nothing to a screen reader, so words must stand beside it."""
    return (
        f'<svg class="icon icon-{name} {classes}" viewBox="0 0 24 24" aria-hidden="true" '
        f'focusable="false">{_PATHS[name]}</svg>'
    )


def type_icon(resource_type: str) -> str:
    """The name of the icon of a resource type; every kind of picture has the picture's."""
    return _TYPE_ICONS.get(resource_type, "image")


def domain_icon(domain: str) -> str:
    """The name of the icon that stands for a tool's domain."""
    for word in ("video", "audio", "image"):
        if domain.startswith(word) or (word == "image" and domain.startswith("visual")):
            return word
    return "text" if "language" in domain or "question" in domain else "wrench"

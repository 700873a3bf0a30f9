"""The toolbox as a person sees it: which tools there are, what they take, whether they run here."""

from __future__ import annotations

from collections import defaultdict
from html import escape

from controlllm.toolbox import DOMAINS, Argument, Tool, Toolbox
from controlllm.ui.icons import domain_icon, icon, type_icon
from controlllm.ui.wording import count, runtime_label, tool_label, type_label


def toolbox_dialog() -> str:
    """The empty dialog; `toolbox_list` fills it when it is first opened."""
    return f"""
<dialog id="toolbox" class="dialog wide-dialog" aria-labelledby="toolbox-title">
  <header class="dialog-head"><h2 id="toolbox-title">Toolbox</h2>
    <input type="search" id="toolbox-search" placeholder="Search the tools"
      aria-label="Search the tools">
    <button type="button" class="quiet" data-do="close" aria-label="Close">{icon("cross")}</button>
  </header><div class="dialog-body" id="toolbox-list"></div>
</dialog>"""


def toolbox_list(toolbox: Toolbox) -> str:
    """Every tool by domain, with args, return, where it runs, or why it cannot."""
    domains: dict[str, list[Tool]] = defaultdict(list)
    for tool in toolbox:
        domains[tool.domain].append(tool)
    sections = []
    for domain in DOMAINS:
        if domain in domains:
            tools = "".join(_tool(tool, toolbox) for tool in domains[domain])
            sections.append(
                f'<section class="domain"><h3>{icon(domain_icon(domain))}'
                f"{escape(tool_label(domain.replace('-', ' ')))}"
                f'<span class="quiet-words">{len(domains[domain])}</span></h3>'
                f'<ul class="tools">{tools}</ul></section>'
            )
    ready = sum(bool(toolbox.available(tool.name)) for tool in toolbox)
    return (
        f'<p class="quiet-words">{count(len(toolbox), "tool")}, {ready} ready on this computer.'
        f"</p>{''.join(sections)}"
    )


def _tool(tool: Tool, toolbox: Toolbox) -> str:
    ways = toolbox.implementations.get(tool.name, ())
    ready = [way for way in ways if way.reason_unavailable() is None]
    if ready:
        state = (
            f'<span class="badge is-ready">{icon("check")}{runtime_label(ready[0].runtime)}</span>'
        )
    else:
        reasons = {way.reason_unavailable() or "" for way in ways}
        words = "; ".join(sorted(reasons)) or "no way to run it is known here"
        state = f'<span class="badge is-missing">{icon("info")}{escape(words)}</span>'
    args = "".join(_argument(argument) for argument in tool.args)
    returned = _argument(tool.returns, named=False)
    return (
        f'<li class="tool-card"><div class="tool-head"><strong>{escape(tool_label(tool.name))}'
        f'</strong>{state}</div><p>{escape(tool.description)}</p><p class="signature">{args}'
        f"{icon('arrow')}{returned}</p></li>"
    )


def _argument(argument: Argument, named: bool = True) -> str:
    words = type_label(argument.type) + (" (several)" if argument.many else "")
    if named and argument.name != argument.type:
        words = f"{argument.name.replace('_', ' ')}: {words}"
    optional = " is-optional" if argument.optional else ""
    return f'<span class="type{optional}">{icon(type_icon(argument.type))}{escape(words)}</span>'

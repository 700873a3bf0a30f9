"""The page's routes, a module for each thing that they are about.

Every route that names a conversation finds it among those of the browser's own cookie; what belongs
to anybody else does not exist for it (404).
"""

from __future__ import annotations

from controlllm.ui.routes import (
    conversations,
    files,
    plan_editing,
    requests,
    resources,
    settings,
    sources,
    toolbox,
)

ROUTES = (
    *conversations.ROUTES,
    *requests.ROUTES,
    *plan_editing.ROUTES,
    *files.ROUTES,
    *resources.ROUTES,
    *settings.ROUTES,
    *toolbox.ROUTES,
    *sources.ROUTES,
)

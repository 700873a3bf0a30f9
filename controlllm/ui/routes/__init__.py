"""The page's routes, a module for each thing that they are about.

Every route that names a conversation finds it among those of the browser's own cookie; what belongs
to anybody else does not exist for it (404).
"""

from __future__ import annotations

from controlllm.ui.routes import (
    comparing,
    conversations,
    files,
    plan_editing,
    pointing,
    requests,
    resources,
    self_test,
    settings,
    sources,
    toolbox,
    why_not,
)

ROUTES = (
    *conversations.ROUTES,
    *requests.ROUTES,
    *comparing.ROUTES,
    *plan_editing.ROUTES,
    *files.ROUTES,
    *resources.ROUTES,
    *self_test.ROUTES,
    *pointing.ROUTES,
    *settings.ROUTES,
    *toolbox.ROUTES,
    *why_not.ROUTES,
    *sources.ROUTES,
)

"""The page's routes, a module for each thing that they are about.

Every route that names a conversation finds it among those of the browser's own cookie; what belongs
to anybody else does not exist for it (404).
"""

from __future__ import annotations

from controlllm.ui.routes import (
    batches,
    branches,
    comparing,
    conversations,
    files,
    finding,
    live,
    plan_editing,
    pointing,
    queue,
    recipes,
    requests,
    resources,
    self_test,
    settings,
    sharing,
    sources,
    toolbox,
    why_not,
)

ROUTES = (
    *conversations.ROUTES,
    *requests.ROUTES,
    *recipes.ROUTES,
    # Before files: what belongs to a batch lies below a conversation's own.
    *batches.ROUTES,
    *branches.ROUTES,
    *queue.ROUTES,
    *live.ROUTES,
    *finding.ROUTES,
    *sharing.ROUTES,
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

#: What browsers fetch beside the page: files, and pictures of them.
FETCHED = tuple(route for route in ROUTES if route.methods and "GET" in route.methods)

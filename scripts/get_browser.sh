#!/usr/bin/env bash
# Make sure that the browser tests find a Chromium: one that is installed, else Debian's, else the
# one that Playwright brings. Usage: scripts/get_browser.sh PATH-OF-PLAYWRIGHT
set -eu

for name in chromium chromium-browser google-chrome; do
    if command -v "$name" > /dev/null; then
        exit 0
    fi
done
if ls "${PLAYWRIGHT_BROWSERS_PATH:-$HOME/.cache/ms-playwright}"/chromium* > /dev/null 2>&1; then
    exit 0
fi

if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    if apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium > /dev/null; then
        exit 0
    fi
fi
if "$1" install chromium; then
    exit 0
fi
echo "The browser tests need Chromium and it could not be installed here. Install it" \
    "(Debian: apt-get install chromium), or leave these tests out: make test ARGS='-m \"not browser\"'" >&2
exit 1

#!/bin/sh
# Prints the path of a Chromium: one that is installed, else Debian's (as root), else Playwright's own; fails if none can be had.
set -u
find_one() {
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome-stable google-chrome; do
        path=$(command -v "$name" 2>/dev/null) || continue
        "$path" --version >/dev/null 2>&1 && printf '%s\n' "$path" && return 0  # a snap's stub has no version
    done
    return 1
}
find_one && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >&2
    find_one && exit 0
fi
"$1/playwright" install --with-deps chromium >&2 || "$1/playwright" install chromium >&2
own=$("$1/python" -c 'from playwright.sync_api import sync_playwright as p
with p() as run: print(run.chromium.executable_path)')
[ -x "$own" ] && printf '%s\n' "$own" && exit 0
echo "The browser tests need Chromium, and none could be found or installed. Install the package chromium and run again." >&2
exit 1

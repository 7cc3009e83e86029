#!/bin/sh
# Prints the path of a Node.js of version 16 or newer: one that is installed, else Debian's (as root), else the one that
# Playwright brings; fails if none can be had.
set -u
fits() {
    "$1" -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 16 ? 0 : 1)' >/dev/null 2>&1 && printf '%s\n' "$1"
}
find_one() {
    for name in "${NODE:-}" node nodejs; do
        path=$(command -v "$name" 2>/dev/null) || continue
        fits "$path" && return 0
    done
    return 1
}
find_one && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs; } >&2
    find_one && exit 0
fi
own=$("$1/python" -c 'from playwright._impl._driver import compute_driver_executable as driver; print(driver()[0])')
fits "$own" && exit 0
echo "The tests of live charts need Node.js, and none could be found or installed. Install the package nodejs and run again." >&2
exit 1

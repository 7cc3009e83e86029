#!/bin/sh
# Prints the path of nginx: the one that is installed, else Debian's (as root), which is neither started now nor at the next boot.
set -u
PATH="$PATH:/usr/sbin"
missing=
for name in nginx openssl; do
    command -v "$name" >/dev/null 2>&1 || missing="$missing $name"
done
[ -z "$missing" ] && command -v nginx && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "make scale needs$missing, which only root can install: run 'apt-get install$missing' as root on Debian or Ubuntu, then make scale as anyone." >&2
    exit 1
fi
policy=/usr/sbin/policy-rc.d  # Debian asks this file before a package may start its service
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    trap 'exit 1' HUP INT TERM
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy"
fi
{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } >&2
command -v nginx >/dev/null 2>&1 || { echo "Debian's package nginx could not be installed: see the lines above." >&2; exit 1; }
case "$missing" in *nginx*) update-rc.d nginx disable >&2 ;; esac
command -v nginx

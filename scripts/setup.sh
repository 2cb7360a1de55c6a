#!/bin/sh
# Makes .venv with Windrow and all that its development needs, and sees to a browser.
#
# Quick when nothing changed. Uses uv; where there is none, puts it into .tools; where that fails, plain pip serves.
# Packages come from wherever pip and uv are configured to look.
set -eu

cd "$(dirname "$0")/.."
root=$(pwd)
stamp=.venv/windrow-setup
oldest=3.11
log=.tools/setup.log

# uv brings its own list of certificates; the machine's is what pip and everything else here trusts.
export UV_SYSTEM_CERTS="${UV_SYSTEM_CERTS:-true}"

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# Run a step quietly, its words going to the log.
quietly() {
    mkdir -p .tools
    printf '\n$ %s\n' "$*" >>"$log"
    "$@" >>"$log" 2>&1
}

# A virtual environment holds absolute paths, so the stamp names the folder: a copied tree is set up anew.
is_done() {
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$root" ] && [ -x .venv/bin/windrow ] || return 1
    .venv/bin/python -c '' 2>/dev/null || return 1
    [ -z "$(find pyproject.toml scripts/setup.sh -newer "$stamp")" ]
}

is_python() {
    "$1" -c "import sys; sys.exit(sys.version_info < ($(echo "$oldest" | tr . ,)))" 2>/dev/null
}

find_python() {
    for name in python3.14 python3.13 python3.12 python3.11 python3 python; do
        if command -v "$name" >/dev/null 2>&1 && is_python "$name"; then
            command -v "$name"
            return
        fi
    done
}

find_uv() {
    for name in uv "$root/.tools/uv/bin/uv" "${HOME:-/}/.local/bin/uv"; do
        if "$name" --version >/dev/null 2>&1; then
            command -v "$name"
            return
        fi
    done
}

# Any Python 3 can carry uv, also one too old for Windrow itself. Two ways: a virtual environment needs the venv
# module, and a target folder needs pip.
fetch_uv() {
    command -v python3 >/dev/null 2>&1 || return 1
    say "uv is not installed; putting it into .tools"
    rm -rf .tools/uv
    if quietly python3 -m venv .tools/uv && quietly .tools/uv/bin/pip install uv; then return; fi
    rm -rf .tools/uv
    quietly python3 -m pip install --target .tools/uv uv
}

install_with_uv() {
    # Without a fitting Python, uv fetches one; not the very newest, for which packages may not be built yet.
    quietly "$uv" sync --python "${python:->=$oldest,<3.15}"
}

install_with_pip() {
    if ! quietly "$python" -m venv --clear .venv; then
        say "$python cannot make virtual environments"
        [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 1
        say "installing python3-venv"
        quietly env DEBIAN_FRONTEND=noninteractive apt-get install -y python3-venv || return 1
        quietly "$python" -m venv --clear .venv || return 1
    fi
    quietly .venv/bin/pip install --upgrade 'pip>=25.1' && quietly .venv/bin/pip install --editable . --group dev
}

# Reading without layout needs no browser, so a missing one does not stop the set-up.
see_to_browser() {
    PATH="$root/.tools/uv/bin:$PATH" .venv/bin/windrow setup >&2 ||
        say "there is no browser yet, so pages are read without their layout; \`.venv/bin/windrow setup\` tries again"
}

if is_done; then exit 0; fi
mkdir -p .tools
: >"$log"

python=$(find_python)
uv=$(find_uv)
if [ -z "$uv" ] && fetch_uv; then uv=$(find_uv); fi
if [ -z "$uv" ] && [ -z "$python" ]; then
    fail "Windrow needs Python $oldest or newer and found none; install one (Debian: apt install python3 python3-venv)."
fi

say "installing Windrow and its tools into .venv"
if [ -n "$uv" ] && install_with_uv; then
    :
elif [ -n "$python" ] && install_with_pip; then
    :
else
    tail -n 20 "$log" >&2
    [ -n "$python" ] || fail "There is no Python $oldest or newer here, and uv could not fetch one; install one, then try again."
    fail "The packages could not be installed; the lines above, from $log, say why. Check that pip can reach its" \
        "package index, and on Debian or Ubuntu that python3-venv is there (apt install python3-venv), then try again."
fi
see_to_browser
printf '%s\n' "$root" >"$stamp"
say "done"

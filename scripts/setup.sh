# Sourced by the other scripts: finds Python, makes the virtual environment and installs the package into it.
# Uses SCHMIER_VENV as the environment if it is set, else .venv in the repository.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=${SCHMIER_VENV:-$top/.venv}

# A name on the path can be a mere shim, so each candidate is asked.
find_python() {
    local name
    for name in python3.14 python3.13 python3.12 python3.11 python3 python; do
        if "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    echo "schmier-sim needs Python 3.11 or later with its venv module; none was found on the path" >&2
    return 1
}

# prepare [EXTRA]: an environment with the package, and with what EXTRA names; again only if pyproject.toml has changed.
prepare() {
    local extra=${1:-} python stamp want
    if [ ! -x "$venv/bin/python" ]; then
        python=$(find_python) || exit 1
        echo "making the virtual environment $venv with $("$python" --version)" >&2
        "$python" -m venv "$venv" || exit 1
    fi
    stamp=$venv/schmier-sim${extra:+-$extra}.stamp
    want=$(cat "$top/pyproject.toml"; cd "$venv" && pwd; echo "$top")
    if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$want" ]; then
        echo "installing schmier-sim${extra:+ with the extra $extra} …" >&2
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -e "$top${extra:+[$extra]}" || exit 1
        printf '%s\n' "$want" >"$stamp"
    fi
}

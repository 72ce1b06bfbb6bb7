#!/bin/sh
# Runs sketch-study with secrets from files: NAME_FILE=/run/secrets/x sets NAME to the file's content.
set -eu
for name in SKETCH_STUDY_SECRET_KEY SKETCH_STUDY_METRICS_TOKEN PGPASSWORD \
    AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY; do
    eval "file=\${${name}_FILE:-}"
    [ -n "$file" ] || continue
    if [ ! -r "$file" ] || [ ! -s "$file" ]; then
        echo "${name}_FILE: $file is missing, empty or not readable by user $(id -u)." >&2
        exit 1
    fi
    export "$name=$(cat "$file")"
done
mkdir -p "${TMPDIR:-/tmp}"
exec sketch-study "$@"

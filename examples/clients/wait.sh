#!/bin/sh
# Waits for a run with nothing but curl: wait.sh RUN_ID gate|end. Writes the run to standard output as JSON.
set -eu
url="${HOLDPOINT_URL:-http://127.0.0.1:4000}/runs/$1/wait?until=$2&seconds=60"
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# 200: reached. 202: not yet, so ask again; nothing is lost in between. Anything else ends the script.
code=202
while [ "$code" = 202 ]; do
  code=$(curl -sS --fail-with-body --retry 5 --retry-connrefused -o "$answer" -w '%{http_code}' "$url" \
    -H "authorization: Bearer $HOLDPOINT_TOKEN") || { cat "$answer" >&2; exit 1; }
done
cat "$answer"

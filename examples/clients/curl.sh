#!/bin/sh
# Reads and follows a run with nothing but curl: curl.sh RUN_ID
set -eu
url="${HOLDPOINT_URL:-http://127.0.0.1:4000}/graphql"
run="$1"

# The request's id comes back in the answer, and is in the server's log.
ask() {
  curl -sS --fail-with-body "$url" -H "authorization: Bearer $HOLDPOINT_TOKEN" -H "content-type: application/json" \
    -H "x-request-id: example-$1" --data-binary @-
  echo
}

ask viewer <<'JSON'
{ "query": "{ viewer { role actor { name } } }" }
JSON

# A page of runs. For the next one, send pageInfo.endCursor as `after` while hasNextPage is true.
ask page <<'JSON'
{ "query": "query ($after: String) { runs(first: 1, after: $after) { edges { node { id status } } pageInfo { hasNextPage endCursor } } }",
  "variables": { "after": null } }
JSON

# Subscriptions also come as server-sent events. Each has a cursor; to resume, send the last one as `after`.
curl -sS --fail-with-body -N "$url" -H "authorization: Bearer $HOLDPOINT_TOKEN" -H "content-type: application/json" \
  -H "accept: text/event-stream" --data-binary @- <<JSON
{ "query": "subscription (\$run: ID!) { runEvents(runId: \$run) { ... on StreamItem { cursor } ... on RunSnapshot { run { status } } ... on RunStatusChanged { to } } }",
  "variables": { "run": "$run" } }
JSON

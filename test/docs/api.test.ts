/** The limits in docs/api.md are the product's, and its links have targets. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";

const page = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

test("the limits are those of the product", () => {
  const count = (value: number): string => value.toLocaleString("en-US");
  const kib = 1024;
  const rows = {
    "a request": `${LIMITS.requestBytes / kib / kib} MiB`,
    "a message on a WebSocket": `${LIMITS.webSocketMessageBytes / kib} KiB`,
    "operations at a time on a WebSocket": count(LIMITS.subscriptionsPerSocket),
    "requests on a connection without an answer": count(LIMITS.pipelinedRequests),
    "a document: levels, fields, aliases, tokens": [
      LIMITS.queryDepth,
      LIMITS.queryFields,
      LIMITS.queryAliases,
      LIMITS.queryTokens,
    ]
      .map(count)
      .join(", "),
    "`first` and `last`; of log lines": `${count(LIMITS.pageSize)}; ${count(LIMITS.logPageSize)}`,
    "`offset`, and what `totalCount` counts to": count(LIMITS.maxOffset),
    "ids in `nodes`": count(LIMITS.nodesPerRequest),
    "targets of a run; variables of a workspace": `${count(LIMITS.targetsPerRun)}; ${count(LIMITS.variablesPerWorkspace)}`,
    "the value of a variable": `${LIMITS.variableBytes / kib} KiB`,
    "an archive; a state": `${LIMITS.sourceBytes / kib / kib} MiB; ${LIMITS.stateBytes / kib / kib} MiB`,
    "outputs of a state: size, values": `${LIMITS.stateOutputBytes / kib / kib} MiB; ${count(LIMITS.stateOutputParts)}`,
  };
  const section = page.slice(page.indexOf("## Limits"), page.indexOf("## How it changes"));
  const found = [...section.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].slice(1).map(([, what, limit]) => [what, limit]);
  expect(Object.fromEntries(found.filter(([what = ""]) => !what.startsWith("---")))).toEqual(rows);
  expect(LIMITS.countAtMost).toBe(LIMITS.maxOffset);
});

test("its links lead somewhere", () => {
  for (const [, target = ""] of page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
    if (target.startsWith("http") || target.startsWith("../examples")) continue;
    expect(readFileSync(new URL(`../../docs/${target}`, import.meta.url), "utf8").length, target).toBeGreaterThan(0);
  }
});

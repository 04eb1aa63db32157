/** docs/runners.md has every flag and variable of a runner. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RUNNER_HELP } from "../../src/server/runner-config.ts";

const page = readFileSync(new URL("../../docs/runners.md", import.meta.url), "utf8");

test("flags and variables are those of the help", () => {
  const flags = [...RUNNER_HELP.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag);
  const variables = [...new Set([...RUNNER_HELP.matchAll(/HOLDPOINT_[A-Z_]+/g)].map(([name]) => name))];
  expect(flags.length).toBeGreaterThan(10);
  expect([...page.matchAll(/^\| `(--[a-z-]+)`/gm)].map(([, flag]) => flag)).toEqual(flags);
  expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

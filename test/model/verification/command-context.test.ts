import { expect, it } from "vitest";
import type { Json } from "../../../src/model/plan/json.ts";
import { PROBE_LIMITS } from "../../../src/model/probe/probe-limits.ts";
import { commandOutputs } from "../../../src/model/verification/command-context.ts";

const { outputBytes, outputsBytes } = PROBE_LIMITS.command;
const outputs = (values: Record<string, Json>, sensitive = false) =>
  commandOutputs(new Map(Object.entries(values).map(([name, value]) => [name, { value, sensitive }])));

it("outputs are variables of the environment, by name; a text is as it is, any other value is JSON", () => {
  expect(outputs({ "url-of.web": "http://a", ip: ["10.0.0.1"], count: 2 })).toEqual([
    { name: "HOLDPOINT_OUTPUT_COUNT", text: "2", sensitive: false },
    { name: "HOLDPOINT_OUTPUT_IP", text: '["10.0.0.1"]', sensitive: false },
    { name: "HOLDPOINT_OUTPUT_URL_OF_WEB", text: "http://a", sensitive: false },
  ]);
  expect(outputs({ a: "x" }, true)).toMatchObject([{ sensitive: true }]);
});

it("what an environment cannot take is left out, and no more than it takes in all", () => {
  const names = (values: Record<string, Json>) => outputs(values).map(({ name }) => name.at(-1));
  expect(names({ a: "a\0b", b: "b" })).toEqual(["B"]);
  expect(names({ a: "x".repeat(outputBytes), b: "x".repeat(outputBytes + 1), c: "ä".repeat(outputBytes) })).toEqual([
    "A",
  ]);
  const full = Object.fromEntries(
    Array.from({ length: outputsBytes / outputBytes }, (_, index) => [`o${index}`, "x".repeat(outputBytes)]),
  );
  expect(outputs(full)).toHaveLength(outputsBytes / outputBytes);
  // The last one does not fit any more, and keeps no smaller one away.
  const { o7: _last, ...more } = full;
  expect(names({ ...more, p: "x".repeat(outputBytes - 1), q: "xx", r: "x" })).toEqual([
    ...Object.keys(more).map((name) => name.at(-1)),
    "P",
    "R",
  ]);
});

import { expect, test } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { EventOutput } from "../../../src/runner/engine/engine-output.ts";

const silent = { write: async () => undefined, writeRaw: async () => undefined };

async function diagnosticsOf(severities: readonly string[]): Promise<string[]> {
  const output = new EventOutput(silent, "plan", 10_000);
  const lines = severities.map((severity, index) =>
    JSON.stringify({ "@message": "", type: "diagnostic", diagnostic: { severity, summary: `${severity} ${index}` } }),
  );
  await output.take(Buffer.from(`${lines.join("\n")}\n`));
  return output.diagnostics.map(({ summary }) => summary);
}

const warnings = Array.from({ length: LIMITS.diagnostics }, () => "warning");

test("an error that comes after too many warnings takes the place of the last of them", async () => {
  const last = LIMITS.diagnostics;
  const found = await diagnosticsOf([...warnings, "error", "warning", "error"]);
  expect(found).toHaveLength(LIMITS.diagnostics);
  expect(found.slice(-3)).toEqual([`warning ${last - 3}`, `error ${last}`, `error ${last + 2}`]);
});

test("of too many errors the first are kept", async () => {
  const found = await diagnosticsOf([...warnings, ...warnings].map(() => "error"));
  expect(found).toEqual(warnings.map((_warning, index) => `error ${index}`));
});

import { expect, test } from "vitest";
import { decodeLines, encodeTexts } from "../../src/persistence/log/log-codec.ts";

const at = "2026-11-20T16:07:25.000Z";

function textsOf(batch: readonly string[]): string[] {
  const body = encodeTexts(batch.map((text) => Buffer.from(`${Date.parse(at)}\t${text}`)));
  return decodeLines({ first_line: 1, phase: "PLAN", attempt: 1, body }).map(({ text }) => text);
}

test("of texts that are stored as one batch nothing is left for the batches that follow", () => {
  const long = "x".repeat(10_000);
  expect(textsOf(["short", "", "shorter"])).toEqual(["short", "", "shorter"]);
  expect(textsOf([long, "ä", long])).toEqual([long, "ä", long]);
  expect(textsOf(["after a longer one", "b"])).toEqual(["after a longer one", "b"]);
  expect(textsOf(["alone"])).toEqual(["alone"]);
});

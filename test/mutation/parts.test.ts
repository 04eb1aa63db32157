import { glob } from "node:fs/promises";
import { expect, it } from "vitest";
import accepted from "./accepted.json" with { type: "json" };
import { PARTS } from "./parts.ts";

const countOf = async (pattern: string): Promise<number> => (await Array.fromAsync(glob(pattern))).length;

it.each(PARTS.map((part) => [part.name, part] as const))("%s: each of its globs has files", async (_, part) => {
  for (const pattern of [...part.sources.map((source) => source.replace(/^!/, "")), ...part.tests]) {
    expect(await countOf(pattern), pattern).toBeGreaterThan(0);
  }
});

it("each file with accepted mutations is there", async () => {
  for (const path of Object.keys(accepted.files)) expect(await countOf(path), path).toBe(1);
});

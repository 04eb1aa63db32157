import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("paragraphs over 80 words are reported with their line; lists, tables and code may be long", () => {
  const { stdout, status } = spawnSync(process.execPath, ["test/lint/check-words.ts", "test/fixtures/words"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stdout.trim().split("\n")).toEqual([
    "test/fixtures/words/page.md:5: a paragraph has 81 words, at most 80",
    "test/fixtures/words/page.md:17: a paragraph has 81 words, at most 80",
    "2 problems in 1 files",
  ]);
  expect(status).toBe(1);
});

test("descriptions of a schema are reported by their first words", () => {
  const { stdout } = spawnSync(process.execPath, ["test/lint/check-words.ts", "test/fixtures/descriptions"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stdout.trim().split("\n")).toEqual([
    "test/fixtures/descriptions/schema.graphql:1: a description begins with a subject and a verb",
    "test/fixtures/descriptions/schema.graphql:6: a description begins with a subject and a verb",
    "2 problems in 1 files",
  ]);
});

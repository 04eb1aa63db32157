import { spawnSync } from "node:child_process";
import { cp, glob, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { FOLDERS, LAYERS } from "./import-table.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const fixtures = join(root, "test", "fixtures", "lint");
const RULES = ["holdpoint(import-table)", "holdpoint(status-literal)"] as const;
type Rule = (typeof RULES)[number];

const reportSchema = z.object({
  diagnostics: z.array(
    z.object({
      code: z.string(),
      filename: z.string(),
      labels: z.array(z.object({ span: z.object({ line: z.int() }) })),
    }),
  ),
});

/** A copy outside of the tree: the normal run ignores the fixtures, by a setting that no option undoes. */
let copy: string;
/** For each rule and file, the numbers of the lines that were refused, in order. */
let reported: ReadonlyMap<string, readonly number[]>;
const linesOf = (rule: Rule, file: string): number[] =>
  [...(reported.get(`${rule} ${file}`) ?? [])].toSorted((a, b) => a - b);

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "lint-"));
  await cp(fixtures, copy, { recursive: true });
  // Paths of plugins are relative to the configuration, whose folder also decides which files it is for.
  const config = await readFile(join(root, ".oxlintrc.json"), "utf8");
  await writeFile(join(copy, ".oxlintrc.json"), config.replace('"./test/lint/', `"${root}test/lint/`));
  reported = runOxlint();
});

afterAll(() => rm(copy, { recursive: true }));

function runOxlint(): Map<string, number[]> {
  const program = join(dirname(createRequire(import.meta.url).resolve("oxlint/package.json")), "bin", "oxlint");
  const { stdout, stderr } = spawnSync(process.execPath, [program, "-f", "json", "."], {
    cwd: copy,
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(`oxlint has printed nothing: ${stderr}`);
  const lines = new Map<string, number[]>();
  for (const { code, filename, labels } of reportSchema.parse(JSON.parse(stdout)).diagnostics) {
    if (!RULES.some((rule) => rule === code)) continue;
    const key = `${code} ${filename}`;
    lines.set(key, [...(lines.get(key) ?? []), ...labels.map((label) => label.span.line)]);
  }
  return lines;
}

async function importLines(file: string): Promise<number[]> {
  const lines = (await readFile(file, "utf8")).split("\n");
  return lines.flatMap((line, index) => (/\bfrom "|\bimport\(/.test(line) ? [index + 1] : []));
}

async function fixtureFiles(): Promise<string[]> {
  const entries = await readdir(join(fixtures, "src"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test("every forbidden import of the fixtures is refused, and no other", async () => {
  for (const file of await fixtureFiles()) {
    const isRefused = (await readFile(file, "utf8")).startsWith("// Every line below is refused.");
    const name = relative(fixtures, file);
    const lines = linesOf("holdpoint(import-table)", name);
    expect({ name, lines }).toEqual({ name, lines: isRefused ? await importLines(file) : [] });
  }
});

test("statuses are named by the run machine alone", async () => {
  const file = "src/domain/run/status-literals.ts";
  const lines = (await readFile(join(fixtures, file), "utf8")).split("\n");
  const refused = lines.flatMap((line, index) => (line.endsWith("// refused") ? [index + 1] : []));
  expect(linesOf("holdpoint(status-literal)", file)).toEqual(refused);
  expect(refused).toHaveLength(5);
  expect(linesOf("holdpoint(status-literal)", "src/model/lifecycle/status-literals.ts")).toEqual([]);
});

test("every layer has a rule and both fixtures", async () => {
  const layers = await foldersOf(join(root, "src"));
  expect(Object.keys(LAYERS).toSorted()).toEqual(layers);
  const names = (await fixtureFiles()).map((file) => relative(fixtures, file));
  expect(names).toEqual(
    expect.arrayContaining(layers.flatMap((layer) => [`src/${layer}/refused.ts`, `src/${layer}/allowed.ts`])),
  );
});

test.each(Object.entries(FOLDERS))("every folder of %s is in the import table", async (layer, folders) => {
  expect(folders.toSorted()).toEqual(await foldersOf(join(root, "src", layer)));
});

/** Folders that hold files; git does not know empty ones. */
async function foldersOf(folder: string): Promise<string[]> {
  const files = await Array.fromAsync(glob("*/**/*.*", { cwd: folder }));
  return [...new Set(files.map((file) => file.split(sep)[0] ?? ""))].toSorted();
}

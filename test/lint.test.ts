import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("..", import.meta.url));
const configFile = join(root, ".oxlintrc.json");
const fixtures = join(root, "test", "fixtures", "lint");
const RULE = "eslint(no-restricted-imports)";

const LAYERS = [
  "bus",
  "cli",
  "client",
  "domain",
  "graphql",
  "http",
  "ingestion",
  "model",
  "persistence",
  "runner",
  "workers",
];

const reportSchema = z.object({
  diagnostics: z.array(
    z.object({
      code: z.string(),
      filename: z.string(),
      labels: z.array(z.object({ span: z.object({ line: z.int() }) })),
    }),
  ),
});

const configSchema = z.object({
  overrides: z.array(z.object({ files: z.array(z.string()), rules: z.record(z.string(), z.unknown()) })),
});

/** A copy outside of the tree: the normal run ignores the fixtures, by a setting that no option undoes. */
let copy: string;
/** Per file, the numbers of the lines on which the rule has fired. */
let reported: ReadonlyMap<string, readonly number[]>;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "lint-"));
  await cp(fixtures, copy, { recursive: true });
  reported = runOxlint();
});

afterAll(() => rm(copy, { recursive: true }));

function runOxlint(): Map<string, number[]> {
  const program = join(dirname(createRequire(import.meta.url).resolve("oxlint/package.json")), "bin", "oxlint");
  const { stdout, stderr } = spawnSync(process.execPath, [program, "-c", configFile, "-f", "json", "."], {
    cwd: copy,
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(`oxlint has printed nothing: ${stderr}`);
  const lines = new Map<string, number[]>();
  for (const { code, filename, labels } of reportSchema.parse(JSON.parse(stdout)).diagnostics) {
    if (code !== RULE) continue;
    lines.set(filename, [...(lines.get(filename) ?? []), ...labels.map((label) => label.span.line)]);
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
    const lines = [...(reported.get(name) ?? [])].toSorted((a, b) => a - b);
    expect({ name, lines }).toEqual({ name, lines: isRefused ? await importLines(file) : [] });
  }
});

test("every layer that exists has a rule and both fixtures", async () => {
  const entries = await readdir(join(root, "src"), { withFileTypes: true });
  const existing = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  expect(existing.filter((layer) => !LAYERS.includes(layer))).toEqual([]);
  const names = (await fixtureFiles()).map((file) => relative(fixtures, file));
  expect(names).toEqual(
    expect.arrayContaining(LAYERS.flatMap((layer) => [`src/${layer}/refused.ts`, `src/${layer}/allowed.ts`])),
  );
});

test("the rules know every module that lies beside the layers", async () => {
  const entries = await readdir(join(root, "src"), { withFileTypes: true });
  const modules = entries.filter((entry) => entry.isFile()).map((entry) => entry.name.replace(/\.m?ts$|\.mjs$/, ""));
  const { overrides } = configSchema.parse(JSON.parse(await readFile(configFile, "utf8")));
  const cli = overrides.find(({ files }) => files.includes("**/src/cli/**"));
  const text = JSON.stringify(cli?.rules);
  expect(modules.filter((name) => !new RegExp(`[(:|]${name}[)|]`).test(text))).toEqual([]);
});

test("the overrides name layers in a way that matches the sources as well", async () => {
  const { overrides } = configSchema.parse(JSON.parse(await readFile(configFile, "utf8")));
  const files = overrides.flatMap((override) => override.files);
  expect(files).toEqual(expect.arrayContaining(LAYERS.map((layer) => `**/src/${layer}/**`)));
});

/** A test that no script runs fails for nobody: each file must be of one of those that `.ci/run` calls, or is named here. */
import { globSync, readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { expect, it } from "vitest";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

/** Run by a script of their own, which needs what no package registry has: see CONTRIBUTING.md. */
const APART = ["test/provider/**"];

interface Selection {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}
interface Project {
  readonly test?: Selection & { readonly projects?: readonly Project[] };
}

/** The configurations of the scripts that `.ci/run` calls. */
function configsOfCi(): string[] {
  const [, parts = ""] = /^for part in ([\w ]+); do$/m.exec(read(".ci/run")) ?? [];
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  return ["test", ...parts.split(" ").map((part) => `test:${part}`)].map((name) => {
    const script = scripts[name] ?? "";
    if (!script.startsWith("vitest run")) throw new Error(`${name} is no script of tests.`);
    return /--config (\S+)/.exec(script)?.[1] ?? "vitest.config.ts";
  });
}

it("leaves no test file to no script of CI", async () => {
  const configs = configsOfCi();
  expect(configs.length).toBeGreaterThan(10);
  const selections: Selection[] = [];
  for (const path of configs) {
    const { default: config } = (await import(new URL(path, ROOT).href)) as { default: Project };
    for (const { test } of config.test?.projects ?? [config]) if (test !== undefined) selections.push(test);
  }
  const isOf = (file: string, globs: readonly string[] = []): boolean => globs.some((glob) => matchesGlob(file, glob));
  const files = globSync("test/**/*.{test,check}.ts", { cwd: ROOT.pathname });
  const left = files.filter((file) => {
    const isRun = selections.some(({ include, exclude }) => isOf(file, include) && !isOf(file, exclude));
    return !isRun && !isOf(file, APART);
  });
  expect(files.length).toBeGreaterThan(700);
  expect(left).toEqual([]);
});

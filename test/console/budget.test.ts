/** The sizes of what a browser loads, of the console as it is built. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUILT = join(ROOT, "dist/console");
const KIB = 1024;
/** Compressed with gzip. */
const BUDGETS = { firstScripts: 150 * KIB, styles: 15 * KIB, part: 40 * KIB };

let page: string;
let files: Map<string, Buffer>;
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(ROOT, "src/console/build.mjs"), "--strict"]);
  page = await readFile(join(BUILT, "index.html"), "utf8");
  const names = (await readdir(join(BUILT, "assets"))).filter((name) => /\.(?:js|css)$/.test(name));
  files = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(BUILT, "assets", name))] as const)),
  );
});

const sizeOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(files.get(name) ?? "", { level: 9 }).length, 0);
const isFirst = (name: string): boolean => page.includes(`/assets/${name}`);

it("keeps the first load small", () => {
  const scripts = [...files.keys()].filter((name) => name.endsWith(".js") && isFirst(name));
  expect(scripts).not.toEqual([]);
  expect(sizeOf(scripts)).toBeLessThanOrEqual(BUDGETS.firstScripts);
});

it("keeps styles and each later part small", () => {
  expect(sizeOf([...files.keys()].filter((name) => name.endsWith(".css")))).toBeLessThanOrEqual(BUDGETS.styles);
  const parts = [...files.keys()].filter((name) => name.endsWith(".js") && !isFirst(name));
  for (const name of parts) expect(sizeOf([name]), name).toBeLessThanOrEqual(BUDGETS.part);
});

it("loads the documents of a later page with that page", () => {
  const having = [...files].filter(([, bytes]) => bytes.includes("mutation CreateWebhook("));
  expect(having.map(([name]) => isFirst(name))).toEqual([false]);
});

it("loads nothing from another host, and has no script within the page", () => {
  expect(page).not.toMatch(/<script(?![^>]* src="\/assets\/)|<style|https?:/);
  for (const [name, bytes] of files) {
    if (name.endsWith(".css")) expect(bytes.toString(), name).not.toMatch(/url\(\s*["']?(?:https?:)?\/\//);
  }
});

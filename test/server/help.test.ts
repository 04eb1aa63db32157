/** `--help` and `--version` of every command, which need neither settings nor a database. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";
import { helpOf } from "../../src/server/help.ts";

const root = new URL("../..", import.meta.url);
const MAIN = fileURLToPath(new URL("src/main.mjs", root));
const manifest = z
  .object({ version: z.string(), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(new URL("package.json", root), "utf8")));
/** The commands that npm scripts start for users. */
const commands = Object.entries(manifest.scripts)
  .filter(([script]) => script !== "generate")
  .flatMap(
    ([script, line]) =>
      /main\.mjs (\S+)/
        .exec(line)
        ?.slice(1)
        .map((command) => [script, command] as const) ?? [],
  );

/** A setting that cannot be used: a command that reads settings fails. */
const env = { HOLDPOINT_PORT: "none" };

async function output(...args: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [MAIN, ...args], { env })).stdout;
}

test("there are commands", () => {
  expect(commands).toContainEqual(["start", "serve"]);
  expect(commands).toHaveLength(6);
});

test.each(commands)("the help of npm run %s has its usage and its exit codes", (script, command) => {
  const help = helpOf(command);
  expect(help.startsWith(`Usage: npm ${script === "start" ? "start" : `run ${script} -- `}`)).toBe(true);
  expect(help).toContain("Exit codes: 0");
});

test("a command shows its help and its version before it reads a setting", async () => {
  const [help, short, version] = await Promise.all(
    ["--help", "-h", "--version"].map((option) => output("serve", option)),
  );
  expect(help).toBe(helpOf("serve"));
  expect(short).toBe(help);
  expect(version).toBe(`Holdpoint ${manifest.version}\n`);
});

test("without a command there is an overview of them", async () => {
  const overview = await output("--help");
  expect(overview).toBe(helpOf(null));
  for (const [script] of commands) expect(overview).toContain(script);
  expect(await output("-v")).toBe(`Holdpoint ${manifest.version}\n`);
});

test("the server's help has the settings of the README", () => {
  const readme = readFileSync(new URL("README.md", root), "utf8");
  const section = readme.slice(readme.indexOf("## Configuration"), readme.indexOf("## How fast it is"));
  // Some rows are for all names that begin alike: `HOLDPOINT_S3_*`.
  const rows = [...section.matchAll(/^\| `([A-Z0-9_]+)(\*?)` +\|/gm)].map(([, name = "", star = ""]) => ({
    name,
    star,
  }));
  const settings = helpOf("serve").match(/\b(?:DATABASE_URL|HOLDPOINT_\w+)/g) ?? [];
  const isOf = ({ name, star }: { name: string; star: string }, setting: string): boolean =>
    star === "" ? setting === name : setting.startsWith(name);
  expect(settings.filter((setting) => !rows.some((row) => isOf(row, setting)))).toEqual([]);
  expect(rows.filter((row) => !settings.some((setting) => isOf(row, setting)))).toEqual([]);
});

test.each([
  [["serve", "--admin-token=hunter2"], "npm start takes no arguments, and has --admin-token. See npm start -- --help"],
  [["backup"], "Usage: npm run backup -- FILE [--without-key]"],
  [["partitions", "--months", "0"], "Usage: npm run partitions -- [--months N]"],
  [["sevre"], 'There is no command "sevre"; the commands are serve, runner'],
])("%j is refused with how it is called", async (args, message) => {
  const failed = output(...args);
  await expect(failed).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  await expect(failed).rejects.not.toMatchObject({ stderr: expect.stringContaining("hunter2") });
});

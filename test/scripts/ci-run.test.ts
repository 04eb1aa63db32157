/** `.ci/run` counts what its steps report; here the steps are stand-ins, and no package can be installed. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const SCRIPT = join(import.meta.dirname, "..", "..", ".ci", "run");

/** What a report says of a file with a failed test. */
const RESULT = {
  name: "test/some.test.ts",
  status: "failed",
  message: "",
  assertionResults: [{ status: "failed", fullName: "a thing works", failureMessages: ["expected 1 to be 2"] }],
};

/** Writes down its arguments and its PATH, and a report of one passed test where one is asked for. */
const NPM = `#!/bin/sh
echo "$* PATH=$PATH" >> "$(dirname "$0")/../calls"
failed=0
case "$*" in *"$FAILING"*) failed=1 ;; esac
case "$*" in *"$LEAVING"*) sleep 1000 & echo "$!" > "$(dirname "$0")/../left" ;; esac
for argument; do
  case "$argument" in
    --outputFile.json=*)
      echo "{\\"success\\":$([ $failed = 0 ] && echo true || echo false),\\"numPassedTests\\":1,\\"numFailedTests\\":$failed,\\"testResults\\":[$([ $failed = 0 ] || echo "$RESULT")]}" \\
        > "\${argument#*=}"
      ;;
  esac
done
echo "the end of the step $*"
exit $failed
`;

const SCRIPTS: Readonly<Record<string, string>> = { npm: NPM, "apt-get": "#!/bin/sh\nexit 100\n" };

const SCRIPTS_OF_TESTS = [
  "test:walks",
  "test:library",
  "test:access",
  "test:http",
  "test:ingestion",
  "test:engine",
  "test:git",
  "test:domain",
  "test:nats",
  "test:ssh",
  "test:console",
  "test:screens",
  "test:browser",
  "test:recovery",
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ci-run-"));
  for (const name of [".ci", "bin", "node_modules/.bin"]) await mkdir(join(folder, name), { recursive: true });
  await cp(SCRIPT, join(folder, ".ci", "run"));
  for (const name of ["bash", "dirname", "id", "mktemp", "rm", "sleep", "tail", "tee", "timeout"]) {
    await symlink(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(folder, "bin", name));
  }
  await symlink(process.execPath, join(folder, "node_modules", ".bin", "node"));
  for (const name of ["npm", "terraform", "git", "nats-server", "sshd", "chromium", "apt-get"]) {
    await writeFile(join(folder, "bin", name), SCRIPTS[name] ?? "#!/bin/sh\n");
    await chmod(join(folder, "bin", name), 0o755);
  }
});
afterAll(() => rm(folder, { recursive: true }));

const environment = (failing: string, leaving: string) => ({
  PATH: join(folder, "bin"),
  TMPDIR: tmpdir(),
  FAILING: failing,
  LEAVING: leaving,
  RESULT: JSON.stringify(RESULT),
});

function run(failing: string): { status: number | null; last: string | undefined; output: string } {
  const env = environment(failing, "no step");
  const { status, stdout } = spawnSync(join(folder, ".ci", "run"), { env, encoding: "utf8" });
  return { status, last: stdout.trimEnd().split("\n").at(-1), output: stdout };
}

test("adds up the tests of every script that has tests, with /usr/sbin on the PATH", async () => {
  expect(run("no step")).toMatchObject({ status: 0, last: "15 passed, 0 failed" });
  const calls = (await readFile(join(folder, "calls"), "utf8")).split("\n");
  const tests = calls.filter((line) => line.includes("--outputFile.json")).map((line) => line.replace(/ -- .*/, ""));
  expect(tests).toEqual(["test", ...SCRIPTS_OF_TESTS.map((script) => `run ${script}`)]);
  expect(calls.find((line) => line.startsWith("run test:nats"))).toMatch(/:\/usr\/sbin$/);
});

test.each(["typecheck", "test:nats", "test --"])("fails where %s alone fails, and names it", (step) => {
  const { status, last, output } = run(step);
  expect(status).toBe(1);
  expect(last).toBe("15 passed, 1 failed");
  expect(output.match(/^failed: npm .*/gm)).toEqual([expect.stringContaining(step)]);
});

test("names all steps that fail, and does each of them", () => {
  const { status, last, output } = run("run ");
  const failed = output.match(/^failed: npm run (?:--silent )?\S+/gm)?.map((line) => line.replace(/.* /, ""));
  const checks = ["typecheck", "lint", "lint:words", "format:check", "check:generated"];
  expect(failed).toEqual([...checks, ...SCRIPTS_OF_TESTS, "bench:smoke"]);
  expect(status).toBe(1);
  expect(last).toBe("15 passed, 20 failed");
});

test("tells at the end how long each step took, and which tests have failed with their messages", () => {
  const { output } = run("test:nats");
  const end = output.slice(output.lastIndexOf("failed: npm"));
  expect(end).toContain("FAIL test/some.test.ts\na thing works\nexpected 1 to be 2\n");
  // An error outside of all tests is in no report.
  expect(end.match(/the end of the step .*/g)).toEqual([expect.stringContaining("test:nats")]);
  expect(output).toMatch(/^\d+ s: npm run test:nats$/m);
  expect(output).toMatch(/^\d+ s: npm test$/m);
});

test("ends although a step has left a process that keeps the output open", async () => {
  const env = environment("no step", "test:nats");
  const script = spawn(join(folder, ".ci", "run"), { env, stdio: ["ignore", "ignore", "ignore"] });
  const [status] = await once(script, "exit");
  expect(status).toBe(0);
  const left = Number(await readFile(join(folder, "left"), "utf8"));
  // It fails for a process that is gone.
  process.kill(left, "SIGKILL");
});

test("states which package has a tool that is not there", async () => {
  await rename(join(folder, "bin", "chromium"), join(folder, "bin", "firefox"));
  const { status, output } = run("no step");
  await rename(join(folder, "bin", "firefox"), join(folder, "bin", "chromium"));
  expect(status).toBe(1);
  expect(output).toContain(
    "chromium-headless-shell is not on PATH. It is in a package of Debian: apt-get install chromium-headless-shell, as root.",
  );
  expect(output).toMatch(/\n0 passed, 1 failed\n$/);
});

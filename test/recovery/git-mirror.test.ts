import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GitServer, startGitServer, TestRepository } from "../support/git.ts";

const PROGRAM = fileURLToPath(new URL("../support/fetch-once.ts", import.meta.url));
const run = promisify(execFile);

let root: string;
let server: GitServer;
let repository: TestRepository;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-killed-")));
  server = await startGitServer(root, "ada", "password");
  repository = new TestRepository(join(root, "infra"));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
  await rm(`${root}-git`, { recursive: true, force: true });
});

const args = (): string[] => [PROGRAM, `${root}-git`, `${server.url}/infra/.git`, server.certificateFile];

/** Starts a program that fetches, and kills it with SIGKILL in the middle of an answer. */
async function killWhileFetching(): Promise<void> {
  const stalled = server.stallNext();
  const child: ChildProcess = spawn(process.execPath, args(), { stdio: "ignore" });
  const exited = once(child, "exit");
  await stalled;
  child.kill("SIGKILL");
  await exited;
}

it("a server that was killed while git wrote a mirror is followed by one that fetches it again", async () => {
  for (let round = 0; round < 3; round++) {
    const commit = repository.commit({
      "main.tf": `# ${round}\n`,
      [`f${round}.tf`]: `# ${"x".repeat(5000)}${round}\n`,
    });
    await killWhileFetching();
    expect((await run(process.execPath, args())).stdout).toBe(commit);
    expect(await readdir(join(`${root}-git`, "mirrors"))).toHaveLength(1);
  }
});

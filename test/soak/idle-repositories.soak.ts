/** A hundred repositories that nothing happens to, read every minute by a whole server: their part of its CPU. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect, it } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { waitUntil } from "../support/eventually.ts";
import { startGitServer, TestRepository } from "../support/git.ts";
import { cpuMsOf } from "../support/process-cpu.ts";
import { createHost, createRepository, followFolder } from "../support/repository-steps.ts";
import { startServerProcess } from "../support/server-process.ts";

const REPOSITORIES = 100;
const WINDOW_MS = 120_000;
/** Of one core, what the server takes without the repositories left out. */
const MOST = 0.05;
const MINUTE_MS = 60_000;

it("costs less than a twentieth of a core", { timeout: 15 * 60_000 }, async () => {
  await using stack = new AsyncDisposableStack();
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-idle-")));
  stack.defer(() => rmSync(root, { recursive: true }));
  const repository = new TestRepository(join(root, "template"));
  repository.commit({ "main.tf": "" });
  const git = stack.use(await startGitServer(root, "git", "password"));
  const database = stack.use(await createTestDatabase());
  const client = new Client({ ...database.connection });
  await client.connect();
  stack.defer(() => client.end());
  const server = stack.use(
    await startServerProcess({
      env: {
        DATABASE_URL: database.url,
        HOLDPOINT_RUNNER_SLOTS: "0",
        HOLDPOINT_GIT_ALLOW: "127.0.0.1",
        SSL_CERT_FILE: git.certificateFile,
      },
    }),
  );
  const share = async (ms: number): Promise<number> => {
    const before = await cpuMsOf(server.pid);
    await sleep(ms);
    return ((await cpuMsOf(server.pid)) - before) / ms;
  };
  await sleep(5000);
  const without = await share(MINUTE_MS);
  const { gitHost } = await createHost(server.api, { kind: "GITEA", url: git.url, token: "password" });
  for (let index = 0; index < REPOSITORIES; index++) {
    repository.git("clone", "--quiet", "--bare", repository.folder, join(root, `r${index}.git`));
    const { id } = await createRepository(server.api, gitHost.id, `r${index}`);
    await followFolder(server.api, id, `w${index}`);
  }
  const looked = async (): Promise<number> => {
    const { rows } = await client.query(
      "select count(*)::int as count from repository_look where ended_at is not null",
    );
    return rows[0].count;
  };
  await waitUntil(async () => (await looked()) === REPOSITORIES, { timeout: 120_000 });
  await sleep(MINUTE_MS / 2);
  const requests = git.requests.length;
  const withThem = await share(WINDOW_MS);
  const looks = git.requests.length - requests;
  console.log({ without, withThem, repositories: withThem - without, looks });
  expect(looks).toBeGreaterThan((REPOSITORIES * WINDOW_MS * 0.8) / MINUTE_MS);
  expect(withThem - without).toBeLessThan(MOST);
});

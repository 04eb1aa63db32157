/** Git hosts that hang, dribble, fail or lead elsewhere: people see why, and the repositories of other hosts go on. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { RECOVERY_MS, waitUntil } from "../support/eventually.ts";
import { type GitServer, startGitServer, TestRepository } from "../support/git.ts";
import { ODD_ANSWERS, type OddHost, startOddHost } from "../support/odd-hosts.ts";
import { createHost, createRepository, followFolder, sendRepositoryCommand } from "../support/repository-steps.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";

const PATIENCE = { timeout: RECOVERY_MS, interval: 50 };

let root: string;
let database: TestDatabase;
let client: Client;
let good: GitServer;
let hanging: GitServer;
let server: ServerProcess;
const odd: OddHost[] = [];
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-odd-")));
  database = await createTestDatabase();
  client = new Client({ ...database.connection });
  await client.connect();
  good = await startGitServer(root, "git", "password");
  hanging = await startGitServer(root, "git", "password");
  const env = {
    DATABASE_URL: database.url,
    HOLDPOINT_RUNNER_SLOTS: "0",
    HOLDPOINT_GIT_ALLOW: "127.0.0.1",
    SSL_CERT_FILE: good.certificateFile,
  };
  server = await startServerProcess({ env });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  for (const host of [good, hanging, ...odd]) await host[Symbol.asyncDispose]();
  await client.end();
  await database[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

const token = { token: "password" };
async function hostOf(url: string): Promise<string> {
  return (await createHost(server.api, { kind: "GITEA", url, ...token })).gitHost.id;
}
async function follow(gitHostId: string, name: string) {
  const repository = new TestRepository(join(root, `${name}.git`));
  repository.commit({ [`${name}/main.tf`]: "" });
  const { id } = await createRepository(server.api, gitHostId, `${name}.git/.git`);
  await followFolder(server.api, id, name);
  expect((await sendRepositoryCommand(server.api, "lookAtRepository", { repositoryId: id })).changes).toEqual([]);
  return {
    id,
    repository,
    push: () => repository.commit({ [`${name}/main.tf`]: `# ${repository.git("log", "--oneline")}` }),
  };
}
const pollErrorOf = async (id: string): Promise<string | null> => {
  const query = "query ($id: ID!) { repository(id: $id) { pollError } }";
  return (await server.api.ask(query, { id })).repository.pollError;
};
/** As if a minute had passed for all repositories. */
const tick = () => client.query("update repository_look set next_at = now() where lease_until is null");
const runOf = (commit: string) =>
  waitUntil(async () => {
    const { rows } = await client.query("select id from run where revision = $1", [commit]);
    return rows.length > 0;
  }, PATIENCE);

const SHOWN: Record<keyof typeof ODD_ANSWERS, RegExp> = {
  silent: /^The host did not answer within 30 seconds\.$/,
  dribbling: /^The host did not answer within 30 seconds\.$/,
  failing: /^The host 127\.0\.0\.1 answered with status 500\.$/,
  garbage: /^The host sent a list of refs that cannot be read\.$/,
  page: /answered with text\/html in place of a list of refs/,
  inside: /redirects to another address, which is not followed/,
  metadata: /redirects to another address, which is not followed/,
};

describe("hosts that do not do as they should", () => {
  it("are shown with what is wrong, while others go on", async () => {
    const { push } = await follow(await hostOf(good.url), "beside");
    const ids = new Map<string, string>();
    for (const [name, answer] of Object.entries(ODD_ANSWERS)) {
      const host = await startOddHost(answer);
      odd.push(host);
      const gitHostId = await hostOf(host.url);
      // Those that hang could take all slots by their number.
      const count = name === "silent" || name === "dribbling" ? LIMITS.refReadsPerHost + 2 : 1;
      for (let index = 0; index < count; index++) {
        const { id } = await createRepository(server.api, gitHostId, `acme/r${index}`);
        ids.set(name, ids.get(name) ?? id);
      }
    }
    await waitUntil(() => odd.slice(0, 2).every((host) => host.open() === LIMITS.refReadsPerHost), PATIENCE);
    const commit = push();
    await tick();
    await runOf(commit);
    // They still hang.
    expect(odd.slice(0, 2).map((host) => host.open() > 0)).toEqual([true, true]);
    for (const [name, shown] of Object.entries(SHOWN)) {
      const id = ids.get(name) ?? "";
      const error = await waitUntil(async () => (await pollErrorOf(id)) ?? undefined, PATIENCE);
      expect([name, error]).toEqual([name, expect.stringMatching(shown)]);
      expect(error).not.toMatch(/canary|password/);
    }
  });

  it("hang when their commits are fetched, and others are decided meanwhile", async () => {
    const { push } = await follow(await hostOf(good.url), "good");
    const slow = await hostOf(hanging.url);
    const names = Array.from({ length: LIMITS.decisionsAtOnce }, (_, index) => `slow-${index}`);
    const repositories = [];
    for (const name of names) repositories.push(await follow(slow, name));
    hanging.hangFetches(true);
    const commits = repositories.map((one) => one.push());
    await tick();
    await waitUntil(() => hanging.hanging() > 0, PATIENCE);
    const commit = push();
    await tick();
    await runOf(commit);
    expect(hanging.hanging()).toBeGreaterThan(0);
    const { rows } = await client.query("select decided_at from ref_change where after = any($1)", [commits]);
    expect(rows).toEqual(names.map(() => ({ decided_at: null })));
    // A caller who asks gets an answer, and a server that stops does not wait for them.
    const answer = await sendRepositoryCommand(server.api, "lookAtRepository", { repositoryId: repositories[0]?.id });
    expect(answer.changes).toEqual([]);
    hanging.hangFetches(false);
    for (const one of commits) await runOf(one);
  });
});

it("a server that stops does not wait for a host that hangs", async () => {
  hanging.hangFetches(true);
  const { rows } = await client.query("select id, name from repository where name like 'slow-%' limit 1");
  const name = String(rows[0].name).replace(/\.git.*/, "");
  new TestRepository(join(root, `${name}.git`)).commit({ [`${name}/main.tf`]: "# last" });
  await tick();
  await waitUntil(() => hanging.hanging() > 0, PATIENCE);
  const ended = server.stop();
  // Git itself would give up after a minute.
  expect(await ended).toBe(0);
  const { rows: left } = await client.query("select failures, error from ref_change where decided_at is null");
  expect(left).toEqual([{ failures: 0, error: null }]);
});

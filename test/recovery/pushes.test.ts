/** A server that is killed while a repository is pushed to, and no hook arrives: the next one finds what is there. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Api, Data } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { RECOVERY_MS, waitUntil } from "../support/eventually.ts";
import { TestRepository } from "../support/git.ts";
import { createHost, createRepository, followFolder } from "../support/repository-steps.ts";
import { makeDataDir, removeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";

const PATIENCE = { timeout: RECOVERY_MS, interval: 50 };
const FOLDERS = ["one", "two", "three"];

let database: TestDatabase;
let client: Client;
let dataDir: string;
let root: string;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ ...database.connection });
  await client.connect();
  dataDir = await makeDataDir();
  root = mkdtempSync(join(tmpdir(), "holdpoint-pushes-"));
});
afterAll(async () => {
  await client.end();
  await removeDataDir(dataDir);
  rmSync(root, { recursive: true });
  await database[Symbol.asyncDispose]();
});

const start = (): Promise<ServerProcess> =>
  startServerProcess({
    dataDir,
    env: { DATABASE_URL: database.url, HOLDPOINT_RUNNER_SLOTS: "0", HOLDPOINT_SOURCE_ROOTS: root },
  });
/** As if a minute had passed: a look is due by the clock. */
const tick = () => client.query("update repository_look set next_at = now(), lease_until = null, lease_by = null");
/** As if the server that was killed had been silent for long: the change that it was deciding is due again. */
const endDecisions = () =>
  client.query("update ref_change set decide_at = now(), decided_by = null where decided_by is not null");

async function newestOf(api: Api, workspaceId: string): Promise<Data> {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { runs(first: 50) {
    edges { node { id inputs { digest } cause { ... on PushCause { ref commit } } } } } } }`;
  return (await api.ask(query, { id: workspaceId })).workspace.runs.edges.map(({ node }: Data) => node);
}

/** Pushes of each of three outages. */
const PUSHES = 17;

/** Pushes at random, and forgets nothing: what was there, and which tags are new. */
class Pusher {
  readonly tags: string[] = [];
  readonly #repository: TestRepository;
  readonly #first: string;

  constructor(repository: TestRepository, first: string) {
    this.#repository = repository;
    this.#first = first;
  }

  push(number: number): void {
    const repository = this.#repository;
    switch (number % 6) {
      case 2:
        repository.git("revert", "--no-edit", "HEAD");
        break;
      case 4:
        // A forced push, of which the commits before are gone.
        repository.git("reset", "--quiet", "--hard", this.#first);
        repository.commit({ "two/main.tf": random() });
        break;
      case 5:
        this.#tag();
        break;
      default:
        repository.commit({ [`${FOLDERS[number % 2]}/main.tf`]: random() });
    }
  }

  #tag(): void {
    const tag = `v${this.tags.length}`;
    this.#repository.git("tag", tag);
    this.tags.push(tag);
    // An earlier one moves, which starts nothing.
    if (this.tags.length > 1) this.#repository.git("tag", "--force", "v0");
  }
}

const random = (): string => `# ${randomBytes(8).toString("hex")}\n`;

it("ends with a run of what is at the head in each workspace, and none for what was taken back", async () => {
  const repository = new TestRepository(join(root, "repository"));
  const first = repository.commit(Object.fromEntries(FOLDERS.map((folder) => [`${folder}/main.tf`, random()])));
  const pusher = new Pusher(repository, first);
  let server = await start();
  const { gitHost } = await createHost(server.api, { kind: "GIT", url: `file://${root}` });
  const { id } = await createRepository(server.api, gitHost.id, "repository");
  const workspaces: Record<string, string> = {};
  for (const folder of FOLDERS) {
    const tags = folder === "three" ? "v*" : null;
    workspaces[folder] = await followFolder(server.api, id, folder, { branch: "main", tags });
  }
  // Tags that are there at the first look for tags start nothing. A look for the branch alone may have ended before.
  const isSeen = "select 1 from repository_look where tags_seen and exists (select from git_ref where oid is not null)";
  await tick();
  await waitUntil(async () => (await client.query(isSeen)).rowCount === 1, PATIENCE);
  for (let round = 0; round < 3; round++) {
    for (let push = 0; push < PUSHES; push++) {
      pusher.push(push);
      if (push === 7) await tick();
      // In the midst of a look, a decision or the creation of runs.
      if (push === 9) await server.kill();
    }
    repository.git("reset", "--quiet", "--hard", first);
    const head = repository.commit({ "one/main.tf": random() });
    await endDecisions();
    server = await start();
    await tick();
    await waitUntil(async () => {
      const { rows } = await client.query("select 1 from ref_change where decided_at is null");
      const [newest] = await newestOf(server.api, workspaces["one"] ?? "");
      return rows.length === 0 && newest?.cause?.commit === head;
    }, PATIENCE);
  }
  // Each tag once, however often it was seen and wherever it is by now.
  expect(pusher.tags.length).toBeGreaterThan(5);
  const tagRuns = async (): Promise<string[]> => {
    const runs = await newestOf(server.api, workspaces["three"] ?? "");
    return runs.map(({ cause }: Data) => cause.ref.replace("refs/tags/", "")).toSorted();
  };
  // The folder itself never changed: tags alone made runs of it.
  await waitUntil(async () => (await tagRuns()).length === pusher.tags.length, PATIENCE);
  expect(await tagRuns()).toEqual(pusher.tags.toSorted());
  // The second is again as it was when it was followed.
  const [two] = await newestOf(server.api, workspaces["two"] ?? "");
  const treeOf = (commit: string): string => repository.git("rev-parse", `${commit}:two`);
  if (two !== undefined) expect(treeOf(two.cause.commit)).toBe(treeOf("HEAD"));
  const { rows: repeated } = await client.query(
    `select id from (select id, inputs_digest, lag(inputs_digest) over (partition by workspace_id order by id) as former
      from run where trigger = 'PUSH') r where inputs_digest = former`,
  );
  expect(repeated).toEqual([]);
  await server[Symbol.asyncDispose]();
});

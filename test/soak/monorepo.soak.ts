/** A push to a monorepo of 500 workspaces and 100 modules, with and without 200,000 further files, over real http. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { createTestDatabase } from "../support/database.ts";
import { waitUntil } from "../support/eventually.ts";
import { type GitServer, startGitServer } from "../support/git.ts";
import { deliver, push } from "../support/hook-delivery.ts";
import { createMonorepo, type Monorepo } from "../support/monorepo.ts";
import { createHost, createRepository, followFolder, sendRepositoryCommand } from "../support/repository-steps.ts";
import { startServerProcess } from "../support/server-process.ts";

const WORKSPACES = 500;
const MODULES = 100;
const NAME = "acme/mono";
const PASSWORD = "password";
const QUEUED_MS = 15_000;
const PATIENCE = { timeout: 120_000, interval: 20 };

describe.each([
  { others: 0, decidedMs: 2000 },
  { others: 200_000, decidedMs: 3000 },
])("with $others further files", ({ others, decidedMs }) => {
  it("starts exactly the runs that it concerns, in time and with one fetch", { timeout: 30 * 60_000 }, async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-monorepo-")));
    await using stack = new AsyncDisposableStack();
    stack.defer(() => rmSync(root, { recursive: true }));
    const monorepo = createMonorepo(join(root, `${NAME}.git`), { workspaces: WORKSPACES, modules: MODULES, others });
    const git = stack.use(await startGitServer(root, "git", PASSWORD));
    const world = stack.use(await startWorld(git, monorepo));
    const [module = ""] = monorepo.modules.filter((one) => monorepo.readersOf(one).length >= 20).slice(-1);
    const changes = {
      cold: [`${module}/main.tf`, monorepo.readersOf(module)],
      warm: [`${module}/main.tf`, monorepo.readersOf(module)],
      template: [`${module}/text.tpl`, monorepo.readersOf(module)],
      link: [monorepo.linked.path, monorepo.linked.readers],
      documents: [`${module}/README.md`, []],
      all: [`${monorepo.shared}/main.tf`, monorepo.workspaces],
    } as const;
    for (const [name, [path, readers]] of Object.entries(changes)) {
      const measured = await world.change(path, `# ${name}\n`, readers.length);
      console.log(name, { ...measured, folders: measured.folders.length, others });
      expect(measured.folders).toEqual([...readers].toSorted());
      expect.soft(measured.decidedMs).toBeLessThan(decidedMs);
      expect.soft(measured.queuedMs).toBeLessThan(QUEUED_MS);
      // One of the refs, some for modules by level, and one for the files of each batch of runs.
      expect.soft(measured.fetches).toBeLessThanOrEqual(6 + Math.ceil(readers.length / LIMITS.changesetBatch));
    }
  });
});

interface Measured {
  /** From the delivery of the hook to the decisions, and to the last run. */
  decidedMs: number;
  queuedMs: number;
  fetches: number;
  /** The workspaces with a new run. */
  folders: string[];
}

async function startWorld(git: GitServer, monorepo: Monorepo) {
  await using stack = new AsyncDisposableStack();
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
  await server.api.ask(
    `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { __typename } }`,
    { input: { organizationId: DEFAULT_ORGANIZATION_ID, maxRunsPerPush: WORKSPACES } },
  );
  const { gitHost, hookSecret } = await createHost(server.api, { kind: "GITEA", url: git.url, token: PASSWORD });
  const { id: repositoryId } = await createRepository(server.api, gitHost.id, NAME);
  const limit = pLimit(8);
  const follow = (path: string) => limit(() => followFolder(server.api, repositoryId, path));
  await Promise.all(monorepo.workspaces.map(follow));
  await sendRepositoryCommand(server.api, "lookAtRepository", { repositoryId });
  let deliveries = 0;

  async function change(path: string, text: string, runs: number): Promise<Measured> {
    const after = monorepo.push({ [path]: `${monorepo.git("show", `main:${path}`)}\n${text}` });
    // A repository is read at most once a second.
    await sleep(LIMITS.lookPauseMs);
    const requests = git.requests.length;
    const sentAt = Date.now();
    const delivery = push("GITEA", hookSecret, { name: NAME, delivery: String((deliveries += 1)) });
    expect(await deliver(server.url, gitHost.hookPath, delivery)).toBe(202);
    const decided = await waitUntil(async () => {
      const { rows } = await client.query<{ at: Date | null }>(
        "select decided_at as at from ref_change where after = $1",
        [after],
      );
      return rows[0]?.at ?? undefined;
    }, PATIENCE);
    const runsOf = async (): Promise<string[]> => {
      const { rows } = await client.query<{ path: string }>(
        `select w.source ->> 'path' as path from run r join workspace w on w.id = r.workspace_id
          join ref_change c on c.changeset_id = r.changeset_id where c.after = $1 order by 1`,
        [after],
      );
      return rows.map((row) => row.path);
    };
    await waitUntil(async () => (await runsOf()).length >= runs, PATIENCE);
    const queuedMs = Date.now() - sentAt;
    const fetches = git.requests.slice(requests).filter((one) => one.includes("info/refs")).length;
    return {
      decidedMs: decided.getTime() - sentAt,
      queuedMs,
      fetches,
      folders: (await runsOf()).toSorted(),
    };
  }

  const owned = stack.move();
  return { change, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

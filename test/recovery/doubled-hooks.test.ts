/** Hooks that come three times, in any order, to two servers at once: as many runs as there were changes, and no more. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { RECOVERY_MS, waitUntil } from "../support/eventually.ts";
import { type GitServer, startGitServer } from "../support/git.ts";
import { deliver, type Delivery, push } from "../support/hook-delivery.ts";
import { createMonorepo, type Monorepo } from "../support/monorepo.ts";
import { createRandom, type Random } from "../support/random.ts";
import { createHost, createRepository, followFolder, sendRepositoryCommand } from "../support/repository-steps.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";

const PATIENCE = { timeout: RECOVERY_MS, interval: 50 };
const NAME = "acme/mono";
const STEPS = 16;
/** Deliveries of each change, besides old ones that come again. */
const TIMES = 3;

let root: string;
let database: TestDatabase;
let client: Client;
let git: GitServer;
let servers: ServerProcess[];
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-doubled-")));
  database = await createTestDatabase();
  client = new Client({ ...database.connection });
  await client.connect();
  git = await startGitServer(root, "git", "password");
  const start = () =>
    startServerProcess({
      env: {
        DATABASE_URL: database.url,
        HOLDPOINT_MASTER_KEY: "00".repeat(32),
        HOLDPOINT_ADMIN_TOKEN: "t".repeat(32),
        HOLDPOINT_RUNNER_SLOTS: "0",
        HOLDPOINT_GIT_ALLOW: "127.0.0.1",
        SSL_CERT_FILE: git.certificateFile,
      },
    });
  servers = await Promise.all([start(), start()]);
});
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await git[Symbol.asyncDispose]();
  await client.end();
  await database[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

const KINDS = ["file", "file", "file", "documents", "force", "revert", "tag", "tag moved"] as const;

/** Moves refs of a repository at random, and knows which workspaces a change concerns: by the objects of git alone. */
class Pusher {
  readonly #monorepo: Monorepo;
  readonly #random: Random;
  readonly #heads: string[];
  #tags = 0;

  constructor(monorepo: Monorepo, random: Random) {
    this.#monorepo = monorepo;
    this.#random = random;
    this.#heads = [monorepo.git("rev-parse", "main")];
  }

  /** Returns what moved. */
  move(): string {
    const { workspaces, modules } = this.#monorepo;
    const kind = this.#random.pick(KINDS) ?? "file";
    const text = `# ${this.#random.next()}\n`;
    switch (kind) {
      case "documents":
        this.#push({ [`${this.#random.pick(workspaces)}/README.md`]: text });
        break;
      case "force":
        // Another commit beside the newest one.
        this.#push({ [`${this.#random.pick(workspaces)}/extra.tf`]: text }, this.#heads.at(-2));
        break;
      case "revert":
        this.#monorepo.git("update-ref", "refs/heads/main", this.#heads.at(-2) ?? "main");
        this.#heads.push(this.#monorepo.git("rev-parse", "main"));
        break;
      case "tag":
        this.#monorepo.git("tag", `v${(this.#tags += 1)}`, "main");
        break;
      case "tag moved":
        if (this.#tags > 0) this.#monorepo.git("tag", "--force", "v1", "main");
        break;
      case "file":
        this.#push({ [`${this.#random.pick([...workspaces, ...modules])}/extra.tf`]: text });
    }
    return kind;
  }

  get tags(): number {
    return this.#tags;
  }

  #push(files: Record<string, string>, from?: string): void {
    this.#heads.push(this.#monorepo.push(files, from === undefined ? {} : { from }));
  }

  /** The files that a workspace reads, as git names their contents. */
  inputsOf(workspace: string): string {
    const { modules, readersOf, linked } = this.#monorepo;
    const folders = [workspace, ...modules.filter((module) => readersOf(module).includes(workspace))];
    const listing = this.#monorepo.git("ls-tree", "-r", "main", ...folders, linked.path);
    const isRead = (line: string): boolean =>
      !line.endsWith(".md") && (linked.readers.includes(workspace) || !line.endsWith(linked.path));
    return listing.split("\n").filter(isRead).join("\n");
  }
}

it("starts one run for each change of what a workspace reads", async () => {
  const random = createRandom(20_261_126);
  const monorepo = createMonorepo(join(root, `${NAME}.git`), { workspaces: 12, modules: 9, seed: 3 });
  const pusher = new Pusher(monorepo, random);
  const [first] = servers;
  if (first === undefined) throw new Error("There is no server.");
  const { gitHost, hookSecret } = await createHost(first.api, { kind: "GITEA", url: git.url, token: "password" });
  const { id: repositoryId } = await createRepository(first.api, gitHost.id, NAME);
  const ids = new Map<string, string>();
  for (const [index, path] of monorepo.workspaces.entries()) {
    // One follows tags as well.
    const trigger = { branch: "main", ...(index === 0 && { tags: "v*" }) };
    ids.set(path, await followFolder(first.api, repositoryId, path, trigger));
  }
  await sendRepositoryCommand(first.api, "lookAtRepository", { repositoryId });
  const sent: Delivery[] = [];
  const send = async (delivery: Delivery): Promise<void> => {
    const { url } = random.pick(servers) ?? first;
    expect(await deliver(url, gitHost.hookPath, delivery)).toBe(202);
  };
  /** All looks that were requested have ended, and what they found has its runs. */
  const settled = () =>
    waitUntil(async () => {
      const { rows } = await client.query(`select
        (select count(*) from repository_look where wanted > done or lease_by is not null)
        + (select count(*) from ref_change where decided_at is null)
        + (select count(*) from changeset_member where run_id is null and problem is null) as open`);
      return rows[0].open === "0";
    }, PATIENCE);

  const expected = new Map(monorepo.workspaces.map((path) => [path, [pusher.inputsOf(path)]]));
  for (let step = 0; step < STEPS; step++) {
    const kind = pusher.move();
    for (const [path, inputs] of expected) {
      const now = pusher.inputsOf(path);
      if (now !== inputs.at(-1)) inputs.push(now);
    }
    const delivery = push("GITEA", hookSecret, { name: NAME, delivery: `${step}-${kind}` });
    sent.push(delivery);
    const again = Array.from({ length: TIMES }, () => random.pick(sent) ?? delivery);
    const all = [...Array.from({ length: TIMES }, () => delivery), ...again];
    await Promise.all(all.toSorted(() => random.next() - 0.5).map(send));
    await settled();
  }
  await Promise.all(sent.toSorted(() => random.next() - 0.5).map(send));
  await settled();

  const runs = async (trigger: string) => {
    const text =
      "select w.id, count(r.id)::int as runs from workspace w left join run r on r.workspace_id = w.id and r.trigger = $1 group by 1";
    const { rows } = await client.query<{ id: string; runs: number }>(text, [trigger]);
    return new Map(rows.map((row) => [row.id, row.runs]));
  };
  const pushed = await runs("PUSH");
  const counts = [...expected].map(([path, inputs]) => [path, inputs.length - 1]);
  expect([...expected.keys()].map((path) => [path, pushed.get(ids.get(path) ?? "")])).toEqual(counts);
  expect(counts.some(([, count]) => Number(count) > 2)).toBe(true);
  expect(pusher.tags).toBeGreaterThan(1);
  expect((await runs("TAG")).get(ids.get(monorepo.workspaces[0] ?? "") ?? "")).toBe(pusher.tags);
});

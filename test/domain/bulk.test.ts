import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bulkRound } from "../../src/domain/bulk/bulk-round.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";
import { createSignIns } from "../../src/domain/sign-in/sign-ins.ts";
import { retentionRound } from "../../src/domain/retention/retention-round.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { startBulkWorker } from "../../src/workers/bulk.ts";
import type { Api, Data } from "../support/api.ts";
import type { InProcess } from "../support/in-process.ts";
import { openScene, type Scene } from "./scene.ts";
import { waitUntil } from "../support/eventually.ts";

const OPERATION = `id action gate comment state total done succeeded failed createdBy { id } createdAt finishedAt
  results(first: 100) { edges { node { runId ok code message run { status } newRun { id trigger origin { id } } } } }`;
const BEGIN = `mutation ($input: BulkRunActionInput!) { bulkRunAction(input: $input) { __typename
  ... on BulkRunActionSuccess { operation { ${OPERATION} } }
  ... on UserError { code message } ... on InvalidInputError { issues { path message } } } }`;
const STOP = `mutation ($input: StopBulkOperationInput!) { stopBulkOperation(input: $input) { __typename
  ... on StopBulkOperationSuccess { operation { ${OPERATION} } } ... on UserError { code } } }`;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const never = new AbortController().signal;
/** What the worker of a server does, until nothing is left. */
const work = (server: Pick<InProcess, "deps"> = scene.server) => bulkRound(server.deps, never);

async function tryToBegin(input: object, api: Api = scene.api): Promise<Data> {
  return (await api.ask(BEGIN, { input })).bulkRunAction;
}

async function begin(input: object, api?: Api): Promise<Data> {
  const answer = await tryToBegin(input, api);
  expect(answer).toMatchObject({ __typename: "BulkRunActionSuccess" });
  return answer.operation;
}

async function read(id: string, api: Api = scene.api): Promise<Data> {
  const { node } = await api.ask(`query ($id: ID!) { node(id: $id) { ... on BulkOperation { ${OPERATION} } } }`, {
    id,
  });
  return node;
}

const results = (operation: Data): Data[] => operation.results.edges.map(({ node }: Data) => node);
const shown = (operation: Data): string[] =>
  results(operation).map(({ ok, code, run }) => `${ok ?? "open"} ${code ?? ""} ${run.status}`.replace("  ", " "));

/** A workspace with so many QUEUED runs behind one that is READY. */
async function queue(count: number): Promise<{ workspaceId: string; runIds: string[] }> {
  const workspaceId = await scene.createWorkspace();
  const runIds: string[] = [];
  for (let i = 0; i < count; i++) runIds.push(await scene.createRun(workspaceId));
  return { workspaceId, runIds };
}

/** Server deps with another way to commit. */
function withTransaction(
  deps: Deps,
  wrap: (transaction: Deps["database"]["transaction"]) => Deps["database"]["transaction"],
): Deps {
  const { database } = deps;
  return {
    ...deps,
    database: {
      ...database,
      transaction: wrap((body) => database.transaction(body)),
    },
  };
}

describe("an operation", () => {
  it("cancels what matches, oldest first, and tells of each what came of it", async () => {
    const { workspaceId, runIds } = await queue(4);
    await scene.quick("cancelRun", { runId: runIds[1] });
    const begun = await begin({ filter: { workspaceId }, action: "CANCEL", comment: "a new day" });
    expect(begun).toMatchObject({ state: "RUNNING", total: 4, done: 0, succeeded: 0, failed: 0, finishedAt: null });
    expect(results(begun).map(({ runId }) => runId)).toEqual(runIds);
    await work();
    const done = await read(begun.id);
    expect(done).toMatchObject({ state: "FINISHED", total: 4, done: 4, succeeded: 3, failed: 1 });
    expect(done.finishedAt).not.toBeNull();
    const refused = "false RUN_STATE_CONFLICT CANCELED";
    expect(shown(done)).toEqual(["true CANCELED", refused, "true CANCELED", "true CANCELED"]);
    expect(results(done)[1].message).toContain("CANCELED");
    expect(await scene.run(runIds[0] ?? "", "reason")).toMatchObject({ reason: "a new day" });
    const [{ count }] = await scene.rows("select count(*) from rejected_command where subject_id = $1", runIds[1]);
    expect(count).toBe(1);
  });

  it("gives each item up whose rights go while it waits for the run", async () => {
    const admin = await scene.login("ADMIN");
    const { workspaceId, runIds } = await queue(2);
    const { id } = await begin({ filter: { workspaceId }, action: "CANCEL" }, admin);
    const { working } = await scene.server.deps.database.transaction(async (tx) => {
      await tx.sql.selectFrom("workspace").select("id").where("id", "=", workspaceId).forUpdate().execute();
      const waits = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      const begun = work();
      while ((await scene.rows(waits)).length === 0) await new Promise(setImmediate);
      await scene.rows("update token set revoked_at = now() where id = $1", admin.tokenId);
      return { working: begun };
    });
    await working;
    expect(shown(await read(id))).toEqual(["false FORBIDDEN READY", "false FORBIDDEN QUEUED"]);
    expect((await scene.run(runIds[0] ?? "", "status")).status).toBe("READY");
  });

  it("is over at once where nothing matches", async () => {
    const operation = await begin({ filter: { statuses: [] }, action: "DISCARD" });
    expect(operation).toMatchObject({ state: "FINISHED", total: 0, done: 0 });
  });

  it("can be read for some months after its end", async () => {
    const { workspaceId } = await queue(2);
    const ended = await begin({ filter: { workspaceId }, action: "CANCEL" });
    await work();
    const open = await begin({ filter: { workspaceId: (await queue(1)).workspaceId }, action: "CANCEL" });
    const sweep = (ms: number) => {
      const clock = () => new Date(scene.server.deps.clock().getTime() + ms);
      return retentionRound({ ...scene.server.deps, clock }, () => undefined);
    };
    await sweep(LIMITS.bulkKeptMs - 60_000);
    expect(results(await read(ended.id))).toHaveLength(2);
    await sweep(LIMITS.bulkKeptMs + 60_000);
    expect(await read(ended.id)).toBeNull();
    expect((await read(open.id)).state).toBe("RUNNING");
    await work();
  });

  it("retries, and names the new runs", async () => {
    const { workspaceId, runId } = await scene.reach("CANCELED");
    const { id } = await begin({ filter: { workspaceId, statuses: ["CANCELED"] }, action: "RETRY" });
    await work();
    const [result] = results(await read(id));
    expect(result).toMatchObject({ ok: true, runId, newRun: { trigger: "RETRY", origin: { id: runId } } });
  });

  it("approves exactly the plans of its beginning", async () => {
    const first = await scene.reach("AWAITING_PLAN_APPROVAL");
    const second = await scene.reach("AWAITING_PLAN_APPROVAL");
    const mine = [first.runId, second.runId];
    const filter = { statuses: ["AWAITING_PLAN_APPROVAL"], createdAfter: new Date(0).toISOString() };
    const begun = await begin({ filter, action: "APPROVE", gate: "PLAN", comment: "all of them" });
    await scene.quick("replanRun", { runId: first.runId, planVersion: 1 });
    first.job = await scene.claim(first.runId);
    await first.job.plan();
    await work();
    const found = results(await read(begun.id)).filter(({ runId }) => mine.includes(runId));
    expect(found).toMatchObject([
      { ok: false, code: "STALE_PLAN", run: { status: "AWAITING_PLAN_APPROVAL" } },
      { ok: true, code: null, run: { status: "AWAITING_APPLY_APPROVAL" } },
    ]);
    expect((await scene.run(second.runId, "approvals")).approvals).toMatchObject([
      { comment: "all of them", planVersion: 1 },
    ]);
  });

  it("is the same one for the same key, and another request with it is refused", async () => {
    const { workspaceId } = await queue(2);
    const input = { filter: { workspaceId }, action: "CANCEL", idempotencyKey: `key of ${workspaceId}` };
    const [first, second] = await Promise.all([begin(input), begin(input)]);
    expect(second.id).toBe(first.id);
    const other = await tryToBegin({ ...input, action: "DISCARD" });
    expect(other).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["idempotencyKey"] }] });
    await work();
    expect(await begin(input)).toMatchObject({ id: first.id, state: "FINISHED" });
    scene.server.advance(LIMITS.idempotencyKeyMs + 1000);
    expect((await begin(input)).id).not.toBe(first.id);
    await work();
  });
});

describe("the worker of a server", () => {
  it("hears of an operation that was begun on another server, and does it", async () => {
    await using second = await scene.server.second();
    const worker = startBulkWorker(second.deps, second.hub);
    const { workspaceId } = await queue(2);
    const { id } = await begin({ filter: { workspaceId }, action: "CANCEL" });
    await waitUntil(async () => (await read(id)).state === "FINISHED");
    await worker[Symbol.asyncDispose]();
    expect(second.hub.size).toBe(0);
    expect(second.reported).toEqual([]);
  });

  it("ends between two runs, and leaves the rest to the next one", async () => {
    const { workspaceId } = await queue(3);
    const { id } = await begin({ filter: { workspaceId }, action: "CANCEL" });
    const ending = new AbortController();
    const last = withTransaction(scene.server.deps, (transaction) => async (body) => {
      const result = await transaction(body);
      ending.abort();
      return result;
    });
    await bulkRound(last, ending.signal);
    expect(await read(id)).toMatchObject({ state: "RUNNING", done: 1 });
    await work();
    expect(await read(id)).toMatchObject({ state: "FINISHED", done: 3 });
  });
});

describe("whatever dies", () => {
  it("a server that dies before it commits leaves the run to another one, which does it once", async () => {
    const { workspaceId, runIds } = await queue(4);
    const { id } = await begin({ filter: { workspaceId }, action: "CANCEL" });
    let commits = 0;
    // The third transaction is never committed, and nothing is after it.
    const dying = withTransaction(scene.server.deps, (transaction) => async (body) => {
      if (commits === 2) throw Object.assign(new Error("killed"), { code: "57P01" });
      const result = await transaction(body);
      commits += 1;
      return result;
    });
    await expect(bulkRound(dying, never)).rejects.toThrow("killed");
    expect(await read(id)).toMatchObject({ state: "RUNNING", done: 2, succeeded: 2 });
    await using second = await scene.server.second();
    await work(second);
    expect(shown(await read(id))).toEqual(runIds.map(() => "true CANCELED"));
    const events = await scene.rows(
      "select run_id from run_event where to_status = 'CANCELED' and run_id = any($1)",
      runIds,
    );
    expect(events).toHaveLength(runIds.length);
  });

  it("a server that dies between the commit and hearing of it has done the run all the same, once", async () => {
    const { workspaceId, runId } = await scene.reach("CANCELED");
    const { id } = await begin({ filter: { workspaceId }, action: "RETRY" });
    const deaf = withTransaction(scene.server.deps, (transaction) => async (body) => {
      await transaction(body);
      throw Object.assign(new Error("lost"), { code: "08006" });
    });
    await expect(bulkRound(deaf, never)).rejects.toThrow("lost");
    await work();
    expect(await read(id)).toMatchObject({ state: "FINISHED", done: 1, succeeded: 1 });
    expect(await scene.rows("select id from run where origin_id = $1", runId)).toHaveLength(1);
  });

  it("two servers at work on the same operations do nothing twice", async () => {
    await using second = await scene.server.second();
    const { workspaceId } = await scene.reach("CANCELED");
    for (let i = 0; i < 5; i++) await scene.quick("cancelRun", { runId: await scene.createRun(workspaceId) });
    const { id, total } = await begin({ filter: { workspaceId, statuses: ["CANCELED"] }, action: "RETRY" });
    await Promise.all([work(), work(second), work(), work(second)]);
    await work();
    expect(await read(id)).toMatchObject({ state: "FINISHED", total: 6, done: 6, succeeded: 6 });
    const retries = await scene.rows(
      "select origin_id from run where workspace_id = $1 and trigger = 'RETRY'",
      workspaceId,
    );
    expect(new Set(retries.map((row) => row.origin_id)).size).toBe(total);
    expect(retries).toHaveLength(total);
  });

  it("something unexpected is told, and the others go on", async () => {
    const { workspaceId } = await queue(2);
    const { id } = await begin({ filter: { workspaceId }, action: "CANCEL" });
    let asked = 0;
    const failing = withTransaction(scene.server.deps, (transaction) => async (body) => {
      asked += 1;
      if (asked === 1) throw new Error("a bug");
      return transaction(body);
    });
    await bulkRound(failing, never);
    const [first, second] = results(await read(id));
    expect(first).toMatchObject({ ok: false, code: null, message: expect.stringContaining("failed unexpectedly") });
    expect(second).toMatchObject({ ok: true });
    expect(scene.server.reported.splice(0)).toMatchObject([{ message: "a bug" }]);
  });
});

describe("a stop", () => {
  it("takes effect between two runs, and leaves what was done", async () => {
    const { workspaceId } = await queue(4);
    const { id } = await begin({ filter: { workspaceId }, action: "CANCEL" });
    let count = 0;
    const stopping = withTransaction(scene.server.deps, (transaction) => async (body) => {
      count += 1;
      if (count === 3) await scene.api.ask(STOP, { input: { operationId: id } });
      return transaction(body);
    });
    await bulkRound(stopping, never);
    await work();
    const stopped = await read(id);
    expect(stopped).toMatchObject({ state: "STOPPED", total: 4, done: 2, succeeded: 2 });
    expect(stopped.finishedAt).not.toBeNull();
    expect(results(stopped).map(({ ok }) => ok)).toEqual([true, true, null, null]);
    const { stopBulkOperation: again } = await scene.api.ask(STOP, { input: { operationId: id } });
    expect(again.operation).toMatchObject({ state: "STOPPED", finishedAt: stopped.finishedAt });
  });

  it("is for its creator and for admins", async () => {
    const writer = await scene.login("WRITER");
    const other = await scene.login("WRITER");
    const { workspaceId } = await queue(1);
    const { id } = await begin({ filter: { workspaceId }, action: "CANCEL" }, writer);
    expect((await other.ask(STOP, { input: { operationId: id } })).stopBulkOperation.code).toBe("NOT_FOUND");
    expect(await read(id, other)).toBeNull();
    expect(await read(id, writer)).toMatchObject({ createdBy: { id: writer.actorId } });
    const list = "{ bulkOperations { edges { node { id } } } }";
    expect((await writer.ask(list)).bulkOperations.edges).toEqual([{ node: { id } }]);
    expect((await other.ask(list)).bulkOperations.edges).toEqual([]);
    const { stopBulkOperation: stopped } = await scene.api.ask(STOP, { input: { operationId: id } });
    expect(stopped.operation.state).toBe("STOPPED");
    expect((await other.ask(STOP, { input: { operationId: "bulk_1" } })).stopBulkOperation.code).toBe("NOT_FOUND");
  });
});

describe("rights", () => {
  it.each([
    ["READER", "CANCEL", null],
    ["READER", "DISCARD", null],
    ["READER", "RETRY", null],
    ["WRITER", "APPROVE", "PLAN"],
  ])("a %s cannot begin %s", async (role, action, gate) => {
    const api = await scene.login(role);
    expect(await tryToBegin({ filter: {}, action, gate }, api)).toMatchObject({ code: "FORBIDDEN" });
  });

  type Writer = Awaited<ReturnType<Scene["login"]>>;
  const ends: Record<string, (writer: Writer) => Promise<unknown>> = {
    "a token that was revoked": ({ tokenId }) => scene.send("revokeToken", { tokenId }),
    "an actor that was disabled": ({ actorId }) =>
      scene.api.ask("mutation ($id: ID!) { disableUser(input: { userId: $id }) { __typename } }", { id: actorId }),
    "an actor whose grant was revoked": async ({ actorId }) => {
      const [{ id }] = await scene.rows("select id from access_grant where principal_id = $1", actorId);
      await scene.api.ask("mutation ($id: ID!) { revokeGrant(input: { grantId: $id }) { __typename } }", { id });
    },
  };

  it.each(Object.entries(ends))("are those of each turn: %s does nothing more", async (_name, end) => {
    const writer = await scene.login("WRITER");
    const { workspaceId, runIds } = await queue(3);
    const { id } = await begin({ filter: { workspaceId }, action: "CANCEL" }, writer);
    let count = 0;
    const revoking = withTransaction(scene.server.deps, (transaction) => async (body) => {
      const result = await transaction(body);
      count += 1;
      if (count === 1) await end(writer);
      return result;
    });
    await bulkRound(revoking, never);
    const done = await read(id);
    expect(done).toMatchObject({ state: "FINISHED", done: 3, succeeded: 1, failed: 2 });
    expect(results(done).map(({ code }) => code)).toEqual([null, "FORBIDDEN", "FORBIDDEN"]);
    expect(await scene.run(runIds[2] ?? "", "isTerminal")).toMatchObject({ isTerminal: false });
  });

  it("are those of a session, until it ends", async () => {
    const { deps, domain } = scene.server;
    const signIns = createSignIns(deps);
    const profile = { issuer: "https://login.example.com", subject: "bulk", name: "Ann", email: null };
    const { secret } = await signIns.byProvider(
      {
        profile: { ...profile, groups: ["admins"] },
        adminGroup: "admins",
        state: "bulk",
        providerSession: null,
        presentAt: null,
      },
      { address: null, userAgent: null, formerSecret: null },
    );
    const caller = (await domain.authenticate(secret)) ?? expect.fail("The session is not in force.");
    const start = async () => {
      const { workspaceId, runIds } = await queue(1);
      const input = { filter: { workspaceId }, action: "CANCEL", gate: null, comment: null } as const;
      return { runIds, operation: await domain.bulkRunAction(caller, { ...input, idempotencyKey: null }) };
    };
    const first = await start();
    await work();
    expect(await scene.run(first.runIds[0] ?? "", "status")).toMatchObject({ status: "CANCELED" });
    const second = await start();
    await signIns.signOut(secret);
    await work();
    expect(await scene.run(second.runIds[0] ?? "", "isTerminal")).toMatchObject({ isTerminal: false });
    expect(await scene.rows("select code from bulk_item where operation_id = $1", second.operation.id)).toEqual([
      { code: "FORBIDDEN" },
    ]);
  });

  it("are those of each turn: a lower role is refused", async () => {
    const writer = await scene.login("WRITER");
    const { workspaceId } = await queue(1);
    const { id } = await begin({ filter: { workspaceId }, action: "CANCEL" }, writer);
    await scene.rows("update token set role = 'READER' where id = $1", writer.tokenId);
    await work();
    expect(results(await read(id))).toMatchObject([{ ok: false, code: "FORBIDDEN" }]);
  });
});

describe("input that cannot be used", () => {
  it.each([
    [{ filter: {}, action: "CANCEL" }, "filter"],
    [{ filter: { dialect: {}, workspaceId: null }, action: "CANCEL" }, "filter"],
    [{ filter: { kinds: ["PLAN"] }, action: "APPROVE" }, "gate"],
    [{ filter: { kinds: ["PLAN"] }, action: "CANCEL", gate: "PLAN" }, "gate"],
    [{ filter: { kinds: ["PLAN"] }, action: "RETRY", comment: "why" }, "comment"],
    [{ filter: { kinds: ["PLAN"] }, action: "CANCEL", comment: "x".repeat(LIMITS.textLength + 1) }, "comment"],
    [{ filter: { kinds: ["PLAN"] }, action: "CANCEL", idempotencyKey: "" }, "idempotencyKey"],
    [{ filter: { workspaceId: "ws\0" }, action: "CANCEL" }, "filter"],
  ])("%j is refused, naming %s", async (input, path) => {
    expect(await tryToBegin(input)).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: [path] }] });
  });

  it("more runs than an operation may have are refused, naming the filter", async () => {
    const { workspaceId } = await queue(1);
    await scene.server.deps.database.transaction(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx.sql);
      await sql`
        insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, trigger, created_by,
          variables_sealed, targets, replace, version, status_version, created_at, status_at, finished_at)
        select 'run_many' || n, organization_id, project_id, id, n + 1000, 'PLAN', 'CANCELED', 'PLAN', 'MANUAL', 'sys', '', '{}', '{}',
          1, 1, now(), now(), now()
        from workspace, generate_series(1, ${LIMITS.bulkRuns}::integer) n where id = ${workspaceId}
      `.execute(tx.sql);
    });
    const answer = await tryToBegin({ filter: { workspaceId }, action: "RETRY" });
    expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["filter"] }] });
    expect((await begin({ filter: { workspaceId, statuses: ["CANCELED"] }, action: "RETRY" })).total).toBe(10_000);
    await scene.rows("update bulk_operation set state = 'STOPPED', finished_at = now() where state = 'RUNNING'");
  });
});

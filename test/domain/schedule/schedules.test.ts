/** Schedules: their settings, their due times on several servers, and the rights under which their runs are created. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { dueSchedulesRound } from "../../../src/domain/schedule/due-schedules-round.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../../src/model/people/actor.ts";
import { spreadOf } from "../../../src/model/schedule/schedule.ts";
import type { Api, Data } from "../../support/api.ts";
import { waitUntil } from "../../support/eventually.ts";
import type { InProcess } from "../../support/in-process.ts";
import { addMachine } from "../../support/machine.ts";
import { openScene, type Scene } from "../scene.ts";

const SCHEDULE = `id name cron timeZone spreadMinutes misfire action command enabled label nextAt lastAt lastProblem
  owner { id } workspace { id } lastChangeset { id source createdBy { id } runs { edges { node {
    id kind trigger scheduledAt createdBy { id } workspace { id } cause { ... on ScheduleCause { dueAt schedule { id } } } } } } }`;
const organizationId = DEFAULT_ORGANIZATION_ID;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let scene: Scene;
let other: InProcess;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  other = await scene.server.second();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});
afterEach(() => expect([...scene.server.reported.splice(0), ...other.reported.splice(0)]).toEqual([]));

const never = new AbortController().signal;
const now = (): number => scene.server.deps.clock().getTime();
const round = (server: InProcess = scene.server) => dueSchedulesRound(server.deps, never);
const work = () => changesetRound(scene.server.deps, never);

async function send(name: string, input: object, api: Api = scene.api, fields = `schedule { ${SCHEDULE} }`) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
    ... on ${type}Success { ${fields} } ... on UserError { code message } ${
      name === "deleteSchedule" ? "" : "... on InvalidInputError { issues { path message } }"
    } } }`;
  return (await api.ask(query, { input }))[name];
}
const DAILY = { organizationId, name: "nightly", cron: "30 2 * * *", timeZone: "Europe/Berlin", action: "RUN" };

async function create(input: object, api: Api = scene.api): Promise<Data> {
  const answer = await send("createSchedule", { ...DAILY, ...input }, api);
  expect(answer.__typename, answer.message).toBe("CreateScheduleSuccess");
  return answer.schedule;
}
async function read(id: string, api: Api = scene.api): Promise<Data> {
  return (await api.ask(`query ($id: ID!) { node(id: $id) { ... on Schedule { ${SCHEDULE} } } }`, { id })).node;
}
const workspacesOf = (schedule: Data): string[] => runsOf(schedule).map((run): string => run.workspace.id);
const runsOf = (schedule: Data): Data[] => schedule.lastChangeset.runs.edges.map(({ node }: Data) => node);
/** Moves the clock to the next due time of a schedule, and a second on. */
async function becomeDue(id: string): Promise<string> {
  const { nextAt } = await read(id);
  scene.server.advance(Date.parse(nextAt) + 1000 - now());
  return nextAt;
}
async function fire(id: string): Promise<Data> {
  await becomeDue(id);
  await round();
  await work();
  return read(id);
}
const firings = (id: string): Promise<Data[]> =>
  scene.rows("select due_at, changeset_id, problem from schedule_firing where schedule_id = $1 order by due_at", id);
/** The runs of a schedule end, so that the next due time finds the workspaces free. */
async function endRuns(schedule: Data): Promise<void> {
  for (const { id } of runsOf(schedule)) await scene.quick("cancelRun", { runId: id });
}

describe("the settings of a schedule", () => {
  it("are of a workspace or of a label; what is wrong is named", async () => {
    const workspaceId = await scene.createWorkspace();
    const made = await create({ workspaceId });
    expect(made).toMatchObject({ cron: "30 2 * * *", label: null, enabled: true, misfire: "ONCE", spreadMinutes: 0 });
    expect(made.workspace.id).toBe(workspaceId);
    expect(Date.parse(made.nextAt)).toBeGreaterThan(now());
    const cases: [object, string][] = [
      [{}, "label"],
      [{ workspaceId, label: "env" }, "label"],
      [{ label: "no label" }, "label"],
      [{ workspaceId, name: " " }, "name"],
      [{ workspaceId, cron: "* * * * * *" }, "cron"],
      [{ workspaceId, cron: "@daily" }, "cron"],
      [{ workspaceId, cron: "x".repeat(300) }, "cron"],
      [{ workspaceId, cron: "0 0 30 2 *" }, "cron"],
      [{ workspaceId, timeZone: "Mars/Olympus" }, "timeZone"],
      [{ workspaceId, timeZone: "+01:00" }, "timeZone"],
      [{ workspaceId, spreadMinutes: -1 }, "spreadMinutes"],
      [{ workspaceId, spreadMinutes: LIMITS.scheduleSpreadMinutes + 1 }, "spreadMinutes"],
      [{ workspaceId, action: "TASK" }, "command"],
      [{ workspaceId, command: "true" }, "command"],
      [{ workspaceId, action: "TASK", command: "a\0" }, "command"],
    ];
    for (const [input, path] of cases) {
      const answer = await send("createSchedule", { ...DAILY, ...input });
      expect(answer, JSON.stringify(input)).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: [path] }] });
    }
    const schedules = `query ($id: ID!) { workspace(by: { id: $id }) { schedules { id } } }`;
    expect((await scene.api.ask(schedules, { id: workspaceId })).workspace.schedules).toEqual([{ id: made.id }]);
  });

  it("change one by one; who changes one owns it, and a disabled one is not due", async () => {
    const workspaceId = await scene.createWorkspace();
    const machine = await addMachine(scene.server.url, scene.api, ["WRITER", workspaceId]);
    const made = await create({ workspaceId });
    const scheduleId = made.id;
    const changed = await send("updateSchedule", { scheduleId, action: "TASK", command: "true" }, machine);
    expect(changed.schedule).toMatchObject({ action: "TASK", command: "true", owner: { id: machine.id } });
    expect(changed.schedule.nextAt).toBe(made.nextAt);
    // The command belongs to the task.
    expect((await send("updateSchedule", { scheduleId, action: "RUN" })).schedule).toMatchObject({ command: null });
    expect((await send("updateSchedule", { scheduleId, enabled: false })).schedule).toMatchObject({ nextAt: null });
    const wrong = await send("updateSchedule", { scheduleId, label: "env", cron: null });
    expect(wrong.issues.map(({ path }: Data) => path[0]).toSorted()).toEqual(["cron", "label"]);
    const again = await send("updateSchedule", { scheduleId, enabled: true, timeZone: "UTC" });
    expect(again.schedule.nextAt).toMatch(/T02:30:00.000Z$/);
    expect(await send("deleteSchedule", { scheduleId }, scene.api, "deletedId")).toMatchObject({
      deletedId: scheduleId,
    });
    expect(await read(scheduleId)).toBeNull();
    expect(await send("updateSchedule", { scheduleId, name: "x" })).toMatchObject({ code: "NOT_FOUND" });
  });

  it("are not made by credentials that end with something else", async () => {
    const workspaceId = await scene.createWorkspace();
    const machine = await addMachine(scene.server.url, scene.api, ["WRITER", workspaceId]);
    const trust = { issuer: "https://ci.example.com", audience: "holdpoint", subject: "project:infrastructure" };
    const rule = { serviceAccountId: machine.id, ...trust, claims: [], maxSeconds: 600 };
    const { trustRule } = await send("createTrustRule", rule, scene.api, "trustRule { id }");
    await scene.rows("update token set trust_rule_id = $1 where actor_id = $2", trustRule.id, machine.id);
    const answer = await send("createSchedule", { ...DAILY, workspaceId }, machine);
    expect(answer).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("exchanged") });
  });
});

describe("a due time", () => {
  it("makes a run that the system created, with its cause", async () => {
    const workspaceId = await scene.createWorkspace();
    const { id } = await create({ workspaceId });
    await round();
    expect(await firings(id)).toEqual([]);
    const dueAt = await becomeDue(id);
    await round();
    await work();
    const fired = await read(id);
    expect(fired).toMatchObject({ lastAt: dueAt, lastProblem: null, lastChangeset: { source: "SCHEDULE" } });
    expect(Date.parse(fired.nextAt)).toBeGreaterThan(Date.parse(dueAt));
    const [run] = runsOf(fired);
    expect(run).toMatchObject({
      kind: "DEPLOY",
      trigger: "SCHEDULE",
      createdBy: { id: SYSTEM_ACTOR_ID },
      scheduledAt: null,
      cause: { dueAt, schedule: { id } },
    });
  });

  it("counts once on two servers that consider it at the same time", async () => {
    for (let count = 0; count < 5; count++) {
      const workspaceId = await scene.createWorkspace();
      const { id } = await create({ workspaceId });
      await becomeDue(id);
      // Both have read that it is due, and wait for the row.
      let rounds: Promise<unknown> = Promise.resolve();
      await scene.server.deps.database.transaction(async (tx) => {
        await tx.sql.selectFrom("schedule").select("id").where("id", "=", id).forUpdate().execute();
        rounds = Promise.all([round(), round(other)]);
        await waitUntil(async () => {
          const [row] = await scene.rows("select count(*)::int as count from pg_locks where not granted");
          return row?.count >= 2;
        });
      });
      await rounds;
      expect((await firings(id)).length).toBe(1);
      const [row] = await scene.rows("select count(*)::int as count from changeset where credential_id = $1", id);
      expect(row?.count).toBe(1);
    }
  });

  it.each(["ONCE", "SKIP"])("that passed during an outage: %s", async (misfire) => {
    const { id } = await create({ workspaceId: await scene.createWorkspace(), cron: "0 * * * *", misfire });
    const { nextAt } = await read(id);
    // Five due times pass, the last one ten minutes ago.
    scene.server.advance(Date.parse(nextAt) + 4 * HOUR_MS + 10 * MINUTE_MS - now());
    await Promise.all([round(), round(other)]);
    const last = new Date(Date.parse(nextAt) + 4 * HOUR_MS).toISOString();
    const changeset = misfire === "ONCE" ? expect.stringMatching(/^cs_/) : null;
    expect(await firings(id)).toEqual([
      { due_at: last, changeset_id: changeset, problem: misfire === "ONCE" ? null : expect.stringContaining("SKIP") },
    ]);
    expect((await read(id)).nextAt).toBe(new Date(Date.parse(last) + HOUR_MS).toISOString());
  });

  it("leaves out workspaces that still have the run of an earlier one", async () => {
    const label = "busy:yes";
    const ids = [await scene.createWorkspace({ labels: [label] }), await scene.createWorkspace({ labels: [label] })];
    const { id } = await create({ label });
    const first = await fire(id);
    expect(workspacesOf(first).toSorted()).toEqual(ids.toSorted());
    const [ends] = runsOf(first);
    await scene.quick("cancelRun", { runId: ends?.id });
    const second = await fire(id);
    expect(runsOf(second).map((run) => run.workspace.id)).toEqual([ends?.workspace.id]);
    expect(second.lastProblem).toBe("1 workspace is still busy with the run of an earlier due time.");
  });

  it("spreads the runs of a label, each workspace by its own delay", async () => {
    const label = "spread";
    for (let count = 0; count < 4; count++) await scene.createWorkspace({ labels: [label] });
    const { id } = await create({ label, spreadMinutes: 60 });
    const dueAt = await becomeDue(id);
    await round();
    await work();
    const runs = runsOf(await read(id));
    expect(runs).toHaveLength(4);
    for (const run of runs) {
      const at = Date.parse(dueAt) + spreadOf(run.workspace.id, 60);
      expect(Date.parse(run.scheduledAt)).toBe(at);
    }
    expect(new Set(runs.map((run) => run.scheduledAt)).size).toBe(4);
  });

  it("stops with its workspace", async () => {
    const workspaceId = await scene.createWorkspace();
    const { id } = await create({ workspaceId });
    await becomeDue(id);
    await scene.send("deleteWorkspace", { workspaceId });
    await round();
    expect(await scene.rows("select next_at from schedule where id = $1", id)).toEqual([{ next_at: null }]);
    expect(await firings(id)).toEqual([]);
  });

  it("of a task is refused where the workspace allows none, and says so", async () => {
    const label = "tasks";
    await scene.createWorkspace({ labels: [label] });
    const allows = await scene.createWorkspace({ labels: [label], tasksAllowed: true });
    const { id } = await create({ label, action: "TASK", command: "true" });
    const fired = await fire(id);
    expect(runsOf(fired).map((run) => [run.workspace.id, run.kind])).toEqual([[allows, "TASK"]]);
  });
});

describe("a schedule is run by hand", () => {
  it("under the rights of the caller; its next due time stays", async () => {
    const workspaceId = await scene.createWorkspace();
    const made = await create({ workspaceId });
    const machine = await addMachine(scene.server.url, scene.api, ["WRITER", workspaceId]);
    const answer = await send(
      "runScheduleNow",
      { scheduleId: made.id },
      machine,
      `changeset { id } schedule { ${SCHEDULE} }`,
    );
    await work();
    const after = await read(made.id);
    expect(after).toMatchObject({ nextAt: made.nextAt, lastChangeset: { id: answer.changeset.id } });
    expect(runsOf(after)).toMatchObject([{ createdBy: { id: machine.id }, trigger: "SCHEDULE" }]);
    const busy = await send("runScheduleNow", { scheduleId: made.id });
    expect(busy).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["scheduleId"] }] });
  });
});

describe("the runs of a schedule take the rights that its owner has then", () => {
  it("of a workspace", async () => {
    const workspaceId = await scene.createWorkspace();
    const machine = await addMachine(scene.server.url, scene.api, ["READER", workspaceId]);
    const grantId = await machine.grant("WRITER", workspaceId);
    const { id } = await create({ workspaceId }, machine);
    const first = await fire(id);
    expect(first.lastProblem).toBeNull();
    await endRuns(first);
    await scene.api.ask(`mutation { revokeGrant(input: { grantId: "${grantId}" }) { __typename } }`);
    const { lastChangeset, lastProblem } = await fire(id);
    expect(lastProblem).toContain("RUN_DEPLOY");
    expect(lastChangeset.id).toBe(first.lastChangeset.id);
    await scene.api.ask(`mutation { disableUser(input: { userId: "${machine.id}" }) { __typename } }`);
    expect((await fire(id)).lastProblem).toContain("disabled");
  });

  it("of a label: only workspaces in which the owner may do it; to make one takes the whole organization", async () => {
    const label = "owned";
    const [mine] = [await scene.createWorkspace({ labels: [label] }), await scene.createWorkspace({ labels: [label] })];
    const machine = await addMachine(scene.server.url, scene.api, ["WRITER", mine], ["READER", organizationId]);
    const refused = await send("createSchedule", { ...DAILY, label }, machine);
    expect(refused).toMatchObject({ code: "FORBIDDEN" });
    const grantId = await machine.grant("WRITER", organizationId);
    const { id } = await create({ label }, machine);
    await scene.api.ask(`mutation { revokeGrant(input: { grantId: "${grantId}" }) { __typename } }`);
    expect(runsOf(await fire(id)).map((run) => run.workspace.id)).toEqual([mine]);
  });

  it("until they are created: rights that are lost in between make none", async () => {
    const workspaceId = await scene.createWorkspace();
    const machine = await addMachine(scene.server.url, scene.api, ["READER", workspaceId]);
    const grantId = await machine.grant("WRITER", workspaceId);
    const { id } = await create({ workspaceId }, machine);
    await becomeDue(id);
    await round();
    await scene.api.ask(`mutation { revokeGrant(input: { grantId: "${grantId}" }) { __typename } }`);
    await work();
    expect(await scene.rows("select id from run where workspace_id = $1", workspaceId)).toEqual([]);
    const [member] = await scene.rows("select problem from changeset_member where workspace_id = $1", workspaceId);
    expect(member?.problem).toContain("RUN_DEPLOY");
  });

  it("and the owner counts as the one who requested them: a second person approves", async () => {
    const rule = { name: "others", gate: "PLAN", excludeRequester: true, minimum: 1 };
    const [owner, second] = [await scene.person("ADMIN"), await scene.person("ADMIN")];
    const workspaceId = await scene.createWorkspace({ approvalRules: [rule] });
    const { id } = await create({ workspaceId }, owner);
    const [run] = runsOf(await fire(id));
    await (await scene.claim(run?.id)).plan();
    const approval = { runId: run?.id, gate: "PLAN", planVersion: 1 };
    expect(await scene.send("approveRun", approval, owner)).toMatchObject({ code: "FORBIDDEN" });
    expect((await scene.send("approveRun", approval, second)).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });
});

/** A caller with a grant on one workspace reads that one as an administrator does, and another like one that is absent. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Domain, Queries } from "../../../src/domain/domain.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Grant } from "../../../src/model/people/grant.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import { permissionSet } from "../../../src/model/people/permission-set.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import { onOrganization, onWorkspace } from "../../support/rights.ts";
import { walk } from "../../support/walk.ts";
import { openScene, type Scene } from "../scene.ts";
import { ABOVE, IN_WORKSPACE, OF_ANOTHER, OF_ORGANIZATION, OF_PEOPLE, PAGE, type Read } from "./query-lines.ts";
import { absentSample, admin, createSample, createShared, type Sample } from "./sample.ts";

let scene: Scene;
let seen: Sample;
let hidden: Sample;
let absent: Sample;

const withGrants = (...grants: Grant[]): ActorCaller => ({
  ...admin,
  rights: rightsOf(grants),
});
/** An administrator of the seen workspace and of nothing else. */
const scoped = (): ActorCaller => withGrants(onWorkspace("ADMIN", seen.workspaceId));

beforeAll(async () => {
  scene = await openScene();
  const shared = await createShared(scene);
  seen = await createSample(scene, shared);
  hidden = await createSample(scene, shared);
  absent = absentSample(seen);
});
afterAll(() => scene[Symbol.asyncDispose]());

/** Queries with a test of their own below, and those that take no permission. */
type Others =
  | "listWorkspaces"
  | "countWorkspaces"
  | "readInbox"
  | "inboxState"
  | "activities"
  | "organizationStatistics"
  | "search"
  | "server"
  | "cronTimes"
  | "listSchedules"
  | "listGrants"
  | "webhooksOfOrganizations"
  | "listBulkOperations"
  | "evaluationCounts"
  | "listEvaluationsOfVersion"
  | "simulationCounts"
  | "listSimulatedPlans"
  | "listWorkspacesOfPolicySet"
  | "listChangesets"
  | "freezeWindowStates"
  // They are of what a caller has read.
  | "organizationSettingsDigest"
  | "workspaceSettingsDigest"
  // rollback.test.ts: it takes two runs that were applied.
  | "rollbackCandidates"
  | "ownPasskeys"
  | "ownSessions"
  | "ownTokens"
  | "projectPaths"
  | "actors";
type Forgotten = Exclude<
  keyof Queries,
  | keyof typeof IN_WORKSPACE
  | keyof typeof OF_ORGANIZATION
  | keyof typeof OF_PEOPLE
  | keyof typeof OF_ANOTHER
  | keyof typeof ABOVE
  | Others
>;
const FORGOTTEN: Record<Forgotten, never> = {};

it("has a line for every query", () => {
  expect(FORGOTTEN).toEqual({});
});

describe("a query about a workspace", () => {
  it.each(walk(Object.entries(IN_WORKSPACE), 30))("%s", async (_name, read: Read) => {
    const { domain } = scene.server;
    const missing = await read(domain, scoped(), absent);
    expect(await read(domain, scoped(), hidden)).toEqual(missing);
    const whole = await read(domain, admin, seen);
    expect(await read(domain, scoped(), seen)).toEqual(whole);
    expect(whole).not.toEqual(missing);
  });
});

it.each(Object.entries(OF_ORGANIZATION))("%s shows the organization, and no other", async (_name, read: Read) => {
  const { domain } = scene.server;
  await domain.createOrganization(admin, {
    slug: `other-${randomUUID().slice(0, 8)}`,
    name: "Other",
    concurrencyLimit: 3,
  });
  const shown = await read(domain, scoped(), seen);
  expect(JSON.stringify(shown)).toContain(DEFAULT_ORGANIZATION_ID);
  expect(JSON.stringify(shown)).not.toContain("Other");
  expect(await read(domain, withGrants(), seen)).not.toEqual(shown);
});

it.each(Object.entries({ ...OF_PEOPLE, ...ABOVE }))(
  "%s shows nothing to a caller of one workspace",
  async (name, read: Read) => {
    const { domain } = scene.server;
    const shown = await read(domain, scoped(), seen);
    expect(shown).toEqual(await read(domain, withGrants(), seen));
    if (name !== "jobsOfRunners") expect(shown).not.toEqual(await read(domain, admin, seen));
  },
);

it.each(Object.entries(OF_ANOTHER))("%s shows what another actor did to no one else", async (_name, read: Read) => {
  const { domain } = scene.server;
  const other = { ...scoped(), actor: { id: seen.shared.accountId, kind: "MACHINE", name: "ci" } } as const;
  const shown = await read(domain, other, seen);
  expect(shown).toBeOneOf([[null], { items: [], hasNextPage: false, hasPreviousPage: false }]);
  expect(await read(domain, admin, seen)).not.toEqual(shown);
});

describe("a list", () => {
  it("has the runs of the caller's workspaces, and counts those", async () => {
    const { domain } = scene.server;
    const { items } = await domain.listRuns(scoped(), {}, PAGE, { detail: "SUMMARY" });
    expect(items.map(({ id }) => id)).toEqual([seen.waiting.id, seen.run.id]);
    expect(await domain.countRuns(scoped(), {}, 10)).toBe(2);
    expect(await domain.countRuns(admin, {}, 10)).toBe(4);
    const organization = withGrants(onOrganization("READER", DEFAULT_ORGANIZATION_ID));
    expect(await domain.countRuns(organization, {}, 10)).toBe(4);
    expect(await domain.countRuns(withGrants(), {}, 10)).toBe(0);
  });

  it("counts the runs of an operation that the caller may read", async () => {
    const { domain } = scene.server;
    const countOf = async (caller: ActorCaller) => (await domain.bulkCounts(caller, [seen.bulk]))[0]?.totalCount;
    expect(await countOf(admin)).toBe(2);
    expect(await countOf(scoped())).toBe(2);
    expect(await countOf(withGrants(onWorkspace("ADMIN", hidden.workspaceId)))).toBe(0);
    expect(await countOf(withGrants())).toBe(0);
  });

  it("has the workspaces of the caller that a policy set selects", async () => {
    const { domain } = scene.server;
    const [set = null] = await domain.policySets(admin, [seen.shared.policySetId]);
    if (set === null) throw new Error("The set is not found.");
    const { items } = await domain.listWorkspacesOfPolicySet(scoped(), set, PAGE);
    expect(items.map(({ id }) => id)).toEqual([seen.workspaceId]);
  });

  it("has the workspaces of the caller", async () => {
    const { domain } = scene.server;
    const { items } = await domain.listWorkspaces(scoped(), DEFAULT_ORGANIZATION_ID, {}, PAGE);
    expect(items.map(({ id }) => id)).toEqual([seen.workspaceId]);
    const all = await domain.countWorkspaces(admin, DEFAULT_ORGANIZATION_ID, {});
    expect(await domain.countWorkspaces(scoped(), DEFAULT_ORGANIZATION_ID, {})).toBe(1);
    expect(all).toBeGreaterThan(1);
    expect(await domain.countWorkspaces(withGrants(), DEFAULT_ORGANIZATION_ID, {})).toBe(0);
  });

  it("counts the live runs of the caller's workspaces, and shows places to those who see figures", async () => {
    const { domain } = scene.server;
    const activityOf = async (caller: ActorCaller) => (await domain.activities(caller, [DEFAULT_ORGANIZATION_ID]))[0];
    const totalOf = (activity: Awaited<ReturnType<typeof activityOf>>) =>
      activity?.counts.reduce((total, { count }) => total + count, 0);
    const all = await activityOf(admin);
    expect(totalOf(all)).toBe(4);
    expect(all?.places).not.toBeNull();
    const own = await activityOf(scoped());
    expect(totalOf(own)).toBe(2);
    expect(own).toMatchObject({ oldestAtGateId: seen.run.id, places: null });
    expect(await activityOf(withGrants())).toEqual({ counts: [], oldestAtGateId: null, places: null });
    const organization = await activityOf(withGrants(onOrganization("READER", DEFAULT_ORGANIZATION_ID)));
    expect(totalOf(organization)).toBe(4);
    expect(organization?.places).not.toBeNull();
  });

  it("finds objects by name or id where the caller may read them", async () => {
    const { domain } = scene.server;
    const idsOf = async (caller: ActorCaller, text: string) =>
      (await domain.search(caller, text, 50)).map(({ id }) => id);
    for (const text of [seen.name, seen.workspaceId]) expect(await idsOf(scoped(), text)).toEqual([seen.workspaceId]);
    for (const text of [hidden.name, hidden.workspaceId, hidden.run.id]) {
      expect(await idsOf(admin, text)).toHaveLength(1);
      expect(await idsOf(scoped(), text)).toEqual([]);
    }
    expect(await idsOf(scoped(), seen.run.id)).toEqual([seen.run.id]);
    expect(await idsOf(withGrants(), "a")).toEqual([]);
    expect(await idsOf(scoped(), "admin")).toEqual([]);
    expect(await idsOf(admin, "admin")).toContain(admin.actor.id);
  });

  it("has the caller's runs that need a person", async () => {
    const { domain } = scene.server;
    const runsOf = async (caller: ActorCaller) => (await domain.readInbox(caller)).entries.map(({ runId }) => runId);
    const all = await runsOf(admin);
    expect(all.toSorted()).toEqual([seen.run.id, hidden.run.id].toSorted());
    expect(await runsOf(scoped())).toEqual([seen.run.id]);
    expect(await runsOf(withGrants())).toEqual([]);
  });
});

describe("the list of schedules", () => {
  it("has those of the caller's workspaces", async () => {
    const { domain } = scene.server;
    const { items } = await domain.listSchedules(scoped(), DEFAULT_ORGANIZATION_ID, PAGE);
    expect(items.map(({ id }) => id)).toEqual([seen.scheduleId]);
    const { items: all } = await domain.listSchedules(admin, DEFAULT_ORGANIZATION_ID, PAGE);
    expect(all.map(({ id }) => id).toSorted()).toEqual([seen.scheduleId, hidden.scheduleId].toSorted());
  });
});

describe("the list of changesets", () => {
  it("has those with a run that the caller may read", async () => {
    const { domain } = scene.server;
    const { items } = await domain.listChangesets(scoped(), DEFAULT_ORGANIZATION_ID, null, PAGE);
    expect(items.map(({ id }) => id)).toEqual([seen.changesetId]);
    const { items: all } = await domain.listChangesets(admin, DEFAULT_ORGANIZATION_ID, null, PAGE);
    expect(all.map(({ id }) => id)).toEqual([hidden.changesetId, seen.changesetId]);
  });
});

describe("the list of grants", () => {
  it("has those on the caller's workspaces", async () => {
    const { items } = await scene.server.domain.listGrants(scoped(), null, PAGE);
    expect(new Set(items.map(({ scopeId }) => scopeId))).toEqual(new Set([seen.workspaceId]));
    const { items: all } = await scene.server.domain.listGrants(admin, null, PAGE);
    expect(new Set(all.map(({ scopeId }) => scopeId))).toContain(hidden.workspaceId);
  });
});

describe("a command", () => {
  const commands: [keyof Domain, (domain: Domain, caller: ActorCaller, sample: Sample) => Promise<unknown>][] = [
    ["commentOnRun", (domain, caller, { run }) => domain.commentOnRun(caller, { runId: run.id, text: "Here." })],
    [
      "cancelRun",
      (domain, caller, { run }) => domain.cancelRun(caller, { runId: run.id, force: false, comment: null }),
    ],
    [
      "setVariable",
      (domain, caller, { workspaceId }) =>
        domain.setVariable(caller, {
          workspaceId,
          key: "a",
          value: "b",
          sensitive: false,
          category: "ENGINE",
          hcl: false,
        }),
    ],
    [
      "updateWorkspace",
      (domain, caller, { workspaceId }) => domain.updateWorkspace(caller, { workspaceId, paused: true }),
    ],
    ["runScheduleNow", (domain, caller, { scheduleId }) => domain.runScheduleNow(caller, { scheduleId })],
    ["updateSchedule", (domain, caller, { scheduleId }) => domain.updateSchedule(caller, { scheduleId, name: "x" })],
    ["testWebhook", (domain, caller, { webhookId }) => domain.testWebhook(caller, { webhookId })],
    ["redeliverWebhook", (domain, caller, { deliveryId }) => domain.redeliverWebhook(caller, { deliveryId })],
    ["deleteSchedule", (domain, caller, { scheduleId }) => domain.deleteSchedule(caller, { scheduleId })],
  ];

  it.each(commands)("%s is answered alike for what is hidden and what is absent", async (_name, send) => {
    const { domain } = scene.server;
    const refusal = (caller: ActorCaller, sample: Sample) =>
      send(domain, caller, sample).then(
        () => null,
        (error: unknown) => error,
      );
    const missing = await refusal(scoped(), absent);
    expect(missing).toMatchObject({ code: "NOT_FOUND" });
    expect(await refusal(scoped(), hidden)).toEqual(missing);
    const readOnly = withGrants(onWorkspace("READER", seen.workspaceId));
    expect(await refusal(readOnly, seen)).toMatchObject({ code: "FORBIDDEN" });
    expect(await refusal(scoped(), seen)).toBeNull();
  });
});

describe("an inbox", () => {
  it("asks for a decision only of callers that may decide at the gate", async () => {
    const { domain } = scene.server;
    const reasonOf = async (permission: "PLAN_APPROVE" | "APPLY_APPROVE", workspaceId: string) => {
      const { scope } = onWorkspace("READER", workspaceId);
      const caller = withGrants({ permissions: permissionSet(["RUN_READ", "WORKSPACE_READ", permission]), scope });
      return (await domain.readInbox(caller)).entries.map(({ reason }) => reason);
    };
    const atPlan = await scene.reach("AWAITING_PLAN_APPROVAL");
    expect(await reasonOf("PLAN_APPROVE", atPlan.workspaceId)).toEqual(["YOUR_APPROVAL"]);
    expect(await reasonOf("APPLY_APPROVE", atPlan.workspaceId)).toEqual(["YOUR_RUN"]);
    const atApply = await scene.reach("AWAITING_APPLY_APPROVAL");
    expect(await reasonOf("APPLY_APPROVE", atApply.workspaceId)).toEqual(["YOUR_APPROVAL"]);
    expect(await reasonOf("PLAN_APPROVE", atApply.workspaceId)).toEqual(["YOUR_RUN"]);
  });
});

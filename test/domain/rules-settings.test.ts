/** Limits, approval rules and freeze windows as settings of an organization and of a workspace. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { walk } from "../support/walk.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const POLICY = `limits { leaseSeconds attemptsPerLeg planSeconds planApprovalSeconds approvalTimeoutAction queueSeconds }
  effectiveLimits { leaseSeconds attemptsPerLeg forceStopAfterSeconds planSeconds applySeconds silenceSeconds
    planApprovalSeconds applyApprovalSeconds approvalTimeoutAction queueSeconds }
  approvalRules { name gate kinds minimum approvers { id name } excludeRequester distinctFromPlanApprover commentRequired }
  freezeWindows { name cron durationMinutes timeZone open nextOpensAt }`;

const workspacePolicy = async (id: string): Promise<Data> =>
  (
    await scene.api.ask(
      `query ($id: ID!) { workspace(by: { id: $id }) { lockScope interruptApply tasksAllowed ${POLICY} } }`,
      { id },
    )
  ).workspace;
const organizationPolicy = async (slug: string): Promise<Data> =>
  (await scene.api.ask(`query ($slug: String!) { organization(slug: $slug) { id ${POLICY} } }`, { slug })).organization;

const DEFAULTS = {
  leaseSeconds: 30,
  attemptsPerLeg: 3,
  forceStopAfterSeconds: 60,
  planSeconds: 7200,
  applySeconds: 86_400,
  silenceSeconds: 1800,
  planApprovalSeconds: 0,
  applyApprovalSeconds: 0,
  approvalTimeoutAction: "END",
  queueSeconds: 0,
};
const UNSET = {
  leaseSeconds: null,
  attemptsPerLeg: null,
  planSeconds: null,
  planApprovalSeconds: null,
  approvalTimeoutAction: null,
  queueSeconds: null,
};
let count = 0;

async function organization(input: object = {}): Promise<{ slug: string; id: string }> {
  const slug = `rules-${++count}`;
  const id = await scene.quick("createOrganization", { slug, name: slug, ...input });
  return { slug, id };
}

describe("limits", () => {
  it("are the workspace's, else the organization's, else the defaults; null goes back, 0 is none", async () => {
    const { slug, id } = await organization({ limits: { leaseSeconds: 45, queueSeconds: 600 } });
    const workspaceId = await scene.createWorkspace({ organization: slug, limits: { queueSeconds: 0 } });
    expect(await organizationPolicy(slug)).toMatchObject({
      limits: { ...UNSET, leaseSeconds: 45, queueSeconds: 600 },
      effectiveLimits: { ...DEFAULTS, leaseSeconds: 45, queueSeconds: 600 },
    });
    expect(await workspacePolicy(workspaceId)).toMatchObject({
      limits: { ...UNSET, queueSeconds: 0 },
      effectiveLimits: { ...DEFAULTS, leaseSeconds: 45, queueSeconds: 0 },
    });
    const limits = { leaseSeconds: 60, planSeconds: 100, approvalTimeoutAction: "ESCALATE" };
    await scene.quick("updateWorkspace", { workspaceId, limits });
    await scene.quick("updateWorkspace", { workspaceId, limits: { planSeconds: null, queueSeconds: null } });
    expect(await workspacePolicy(workspaceId)).toMatchObject({
      limits: { ...UNSET, leaseSeconds: 60, approvalTimeoutAction: "ESCALATE" },
      effectiveLimits: { ...DEFAULTS, leaseSeconds: 60, approvalTimeoutAction: "ESCALATE", queueSeconds: 600 },
    });
    await scene.quick("updateOrganization", { organizationId: id, limits: { queueSeconds: null, planSeconds: 50 } });
    expect((await workspacePolicy(workspaceId)).effectiveLimits).toMatchObject({ queueSeconds: 0, planSeconds: 50 });
  });

  it.each(
    walk(
      [
        ["limits.leaseSeconds", { leaseSeconds: 9 }],
        ["limits.leaseSeconds", { leaseSeconds: 3601 }],
        ["limits.attemptsPerLeg", { attemptsPerLeg: 0 }],
        ["limits.forceStopAfterSeconds", { forceStopAfterSeconds: -1 }],
        ["limits.planSeconds", { planSeconds: 0 }],
        ["limits.applySeconds", { applySeconds: 2_000_000_000 }],
        ["limits.silenceSeconds", { silenceSeconds: 1 }],
        ["limits.planApprovalSeconds", { planApprovalSeconds: -1 }],
        ["limits.queueSeconds", { queueSeconds: 9 }],
      ],
      4,
    ),
  )("%s is bounded: %j", async (path, limits) => {
    const workspaceId = await scene.createWorkspace();
    const { id } = await organization();
    const refused = { code: "INVALID_INPUT", issues: [{ path: path.split(".") }] };
    expect(await scene.send("updateWorkspace", { workspaceId, limits })).toMatchObject(refused);
    expect(await scene.send("updateOrganization", { organizationId: id, limits })).toMatchObject(refused);
    expect((await workspacePolicy(workspaceId)).limits).toEqual(UNSET);
  });
});

describe("approval rules", () => {
  it("are replaced as a whole, and have defaults", async () => {
    const { actorId } = await scene.person("APPROVER");
    const workspaceId = await scene.createWorkspace({ approvalRules: [{ name: "security", gate: "PLAN" }] });
    const plain = { minimum: 1, approvers: [], excludeRequester: false, distinctFromPlanApprover: false };
    const kinds = ["DEPLOY", "DESTROY", "APPLY"];
    expect((await workspacePolicy(workspaceId)).approvalRules).toEqual([
      { name: "security", gate: "PLAN", kinds, ...plain, commentRequired: false },
    ]);
    const rule = { name: "owners", gate: "APPLY", approverIds: [actorId], excludeRequester: true };
    await scene.quick("updateWorkspace", { workspaceId, approvalRules: [rule] });
    const [owners, ...more] = (await workspacePolicy(workspaceId)).approvalRules;
    expect(more).toEqual([]);
    expect(owners).toMatchObject({ kinds: [...kinds, "TASK"], approvers: [{ id: actorId }], excludeRequester: true });
    await scene.quick("updateWorkspace", { workspaceId, approvalRules: [] });
    expect((await workspacePolicy(workspaceId)).approvalRules).toEqual([]);
  });

  it.each([
    ["approvalRules.0.name", [{ name: " ", gate: "PLAN" }]],
    [
      "approvalRules.1.name",
      [
        { name: "a", gate: "PLAN" },
        { name: "a", gate: "APPLY" },
      ],
    ],
    ["approvalRules.0.kinds", [{ name: "a", gate: "PLAN", kinds: [] }]],
    ["approvalRules.0.kinds", [{ name: "a", gate: "PLAN", kinds: ["TASK"] }]],
    ["approvalRules.0.kinds", [{ name: "a", gate: "APPLY", kinds: ["DEPLOY", "DEPLOY"] }]],
    ["approvalRules.0.minimum", [{ name: "a", gate: "PLAN", minimum: 0 }]],
    ["approvalRules.0.approverIds.0", [{ name: "a", gate: "PLAN", approverIds: ["run_1"] }]],
  ])("a bad %s is refused", async (path, approvalRules) => {
    const workspaceId = await scene.createWorkspace();
    const answer = await scene.send("updateWorkspace", { workspaceId, approvalRules });
    expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: path.split(".") }] });
  });
});

const WEEKEND = { name: "weekend", cron: "0 18 * * 5", durationMinutes: 3 * 24 * 60, timeZone: "Europe/Berlin" };

describe("freeze windows", () => {
  it("are replaced as a whole, and say whether they are open and when they open", async () => {
    const workspaceId = await scene.createWorkspace({ freezeWindows: [WEEKEND] });
    const [shown] = (await workspacePolicy(workspaceId)).freezeWindows;
    expect(shown).toMatchObject({ ...WEEKEND, nextOpensAt: expect.stringMatching(/T1[67]:00:00\.000Z$/) });
    const now = scene.server.deps.clock();
    const everyHour = { name: "now", cron: `${now.getUTCMinutes()} * * * *`, durationMinutes: 59 };
    await scene.quick("updateWorkspace", { workspaceId, freezeWindows: [everyHour] });
    const windows = (await workspacePolicy(workspaceId)).freezeWindows;
    expect(windows).toMatchObject([{ name: "now", timeZone: "UTC", open: true }]);
  });

  it.each([
    ["freezeWindows.0.cron", { cron: "0 0 31 2 *" }],
    ["freezeWindows.0.cron", { cron: "nonsense" }],
    ["freezeWindows.0.cron", { cron: "0 0 0 1 1 *" }],
    ["freezeWindows.0.cron", { cron: "61 * * * *" }],
    ["freezeWindows.0.cron", { cron: "" }],
    ["freezeWindows.0.timeZone", { timeZone: "Mars/Olympus" }],
    ["freezeWindows.0.timeZone", { timeZone: "" }],
    ["freezeWindows.0.durationMinutes", { durationMinutes: 0 }],
    ["freezeWindows.0.durationMinutes", { durationMinutes: 600_000 }],
    ["freezeWindows.0.durationMinutes", { cron: "0 * * * *", durationMinutes: 60 }],
    ["freezeWindows.0.name", { name: "" }],
  ])("a bad %s is refused: %j", async (path, input) => {
    const workspaceId = await scene.createWorkspace();
    const { id } = await organization();
    const freezeWindows = [{ ...WEEKEND, ...input }];
    const refused = { code: "INVALID_INPUT", issues: [{ path: path.split(".") }] };
    expect(await scene.send("updateWorkspace", { workspaceId, freezeWindows })).toMatchObject(refused);
    expect(await scene.send("updateOrganization", { organizationId: id, freezeWindows })).toMatchObject(refused);
  });
});

describe("settings of applies", () => {
  it("are shown, and changed by those who may approve", async () => {
    const workspaceId = await scene.createWorkspace();
    const before = { lockScope: "RUN", interruptApply: false, tasksAllowed: false };
    expect(await workspacePolicy(workspaceId)).toMatchObject(before);
    const [writer, approver] = await Promise.all(["WRITER", "APPROVER"].map((role) => scene.login(role)));
    const gates = [
      { interruptApply: true },
      { tasksAllowed: true },
      { limits: { leaseSeconds: 40 } },
      { approvalRules: [] },
      { freezeWindows: [] },
    ];
    for (const input of gates) {
      expect((await scene.send("updateWorkspace", { workspaceId, ...input }, writer)).code).toBe("FORBIDDEN");
      expect((await scene.send("updateWorkspace", { workspaceId, ...input }, approver)).code).toBeUndefined();
    }
    const scope = { workspaceId, lockScope: "EXECUTION" };
    expect((await scene.send("updateWorkspace", scope, writer)).code).toBeUndefined();
    const after = { lockScope: "EXECUTION", interruptApply: true, tasksAllowed: true };
    expect(await workspacePolicy(workspaceId)).toMatchObject(after);
    const { id: organizationId } = await organization();
    const limits = { leaseSeconds: 40 };
    expect((await scene.send("updateOrganization", { organizationId, limits }, approver)).code).toBe("FORBIDDEN");
  });

  it.each(["lockScope", "interruptApply", "tasksAllowed", "limits", "approvalRules", "freezeWindows"])(
    "%s is not cleared",
    async (field) => {
      const workspaceId = await scene.createWorkspace();
      const answer = await scene.send("updateWorkspace", { workspaceId, [field]: null });
      expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: [field] }] });
    },
  );

  it("tells what moved, and nothing where nothing did", async () => {
    const workspaceId = await scene.createWorkspace();
    const input = { limits: { queueSeconds: 60, leaseSeconds: 30 }, freezeWindows: [WEEKEND], interruptApply: true };
    for (let i = 0; i < 2; i++) await scene.quick("updateWorkspace", { workspaceId, ...input });
    const events = await scene.rows(
      "select fields from workspace_event where workspace_id = $1 order by id",
      workspaceId,
    );
    expect(events.map(({ fields }) => fields)).toEqual([
      ["created"],
      ["interruptApply", "limits", "freezeWindows", "effectiveLimits"],
    ]);
  });
});

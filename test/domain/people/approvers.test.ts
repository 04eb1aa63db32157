/** Who counts at a gate: people by sessions and tokens, teams, machines, and what an administrator tries alone. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import { type Api, createApi, type Data } from "../../support/api.ts";
import { invited, must as mustBy, type Person, SITE, signedIn } from "../../support/people-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const MINUTE = 60_000;
const TWO = { name: "two", gate: "PLAN", minimum: 2 };

/** People who sign in here are known by a provider; there is none to be reached. */
let scene: Scene;
let boss: Person;
let ann: Person;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true, signIn: { origin: SITE, oidc: null } });
  boss = await signedIn(scene, "boss", "ADMIN");
  ann = await signedIn(scene, "ann", "APPROVER");
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const must = (name: string, input: object, fields: string, by: Api = scene.api): Promise<Data> =>
  mustBy(by, name, input, fields);
const team = async (...members: string[]): Promise<string> => {
  const made = await must("createTeam", { organizationId, name: `t-${randomUUID()}` }, "team { id }");
  for (const actorId of members) await must("addTeamMember", { teamId: made.team.id, actorId }, "team { id }");
  return made.team.id;
};
const atPlanGate = async (...approvalRules: object[]): Promise<{ runId: string; workspaceId: string }> =>
  scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { approvalRules });
const approve = (runId: string, by: Api, input: object = {}, on = scene): Promise<Data> =>
  on.send("approveRun", { runId, gate: "PLAN", planVersion: 1, ...input }, by);
const statusOf = async (runId: string, on = scene): Promise<string> => (await on.run(runId)).status;
const needs = async (runId: string, by: Api): Promise<Data> =>
  (
    await by.ask(
      `query ($id: ID!) { run(id: $id) { actions { action allowed code reason } approvalRequirements { missing
        viewerCanApprove viewerReason machinesCount requirePresence eligibleActors { id } given { present actor { id } } } } }`,
      { id: runId },
    )
  ).run;
const actionOf = async (runId: string, by: Api, name = "APPROVE_PLAN"): Promise<Data> =>
  (await needs(runId, by)).actions.find(({ action }: Data) => action === name);

/** A token of an owner with all of its rights. */
async function tokenOf(ownerId: string, by: Api): Promise<Api> {
  const { secret } = await must("createToken", { ownerId, name: `t-${randomUUID()}` }, "secret", by);
  return createApi(scene.server.url, secret);
}

async function serviceAccount(by: Api): Promise<Api & { id: string }> {
  const made = await must("createServiceAccount", { organizationId, name: `m-${randomUUID()}` }, "actor { id }", by);
  const { id } = made.actor;
  await must(
    "createGrant",
    { principalId: id, roleId: builtInRoleId("APPROVER"), scopeId: organizationId },
    "grant { id }",
    by,
  );
  return { ...(await tokenOf(id, by)), id };
}

async function roleToken(by: Api, input: object): Promise<Api & { id: string }> {
  const { secret, token } = await must(
    "createToken",
    { name: `t-${randomUUID()}`, ...input },
    "secret token { actor { id } }",
    by,
  );
  return { ...createApi(scene.server.url, secret), id: token.actor.id };
}

describe("an administrator does not pass a gate of two alone", () => {
  const ways: [string, () => Promise<Api>][] = [
    ["a session of the same person", () => signedIn(scene, "boss", "ADMIN")],
    ["a token of the same person", () => tokenOf(boss.id, boss)],
    ["a token with a role", () => roleToken(boss, { role: "APPROVER", actor: "USER" })],
    ["a token with a role and the name of the other approver", () => roleToken(boss, { role: "ADMIN", name: "ann" })],
    ["a machine's token with a role", () => roleToken(boss, { role: "APPROVER", actor: "MACHINE" })],
    ["a machine user", () => serviceAccount(boss)],
    ["the token of the first administrator", async () => scene.api],
    [
      "a token with a role and a role of its own",
      async () => {
        const forged = await roleToken(boss, { role: "ADMIN", actor: "USER" });
        const permissions = ["WORKSPACE_READ", "RUN_READ", "PLAN_APPROVE"];
        const { role } = await must(
          "createRole",
          { organizationId, name: `r-${randomUUID()}`, permissions },
          "role { id }",
          boss,
        );
        const grant = { principalId: forged.id, roleId: role.id, scopeId: organizationId };
        await must("createGrant", grant, "grant { id }", boss);
        return forged;
      },
    ],
    [
      "a token that its holder made for itself",
      async () => {
        const forged = await roleToken(boss, { role: "ADMIN", actor: "USER" });
        return tokenOf(forged.id, forged);
      },
    ],
  ];

  it.each(ways)("with %s", async (_name, second) => {
    const { runId } = await atPlanGate(TWO);
    expect((await approve(runId, boss)).run.status).toBe("AWAITING_PLAN_APPROVAL");
    const other = await second();
    const answer = await approve(runId, other);
    if (answer.__typename !== "ApproveRunSuccess") expect(answer.code).toBe("FORBIDDEN");
    expect(await statusOf(runId)).toBe("AWAITING_PLAN_APPROVAL");
    const {
      approvalRequirements: [requirement],
    } = await needs(runId, boss);
    expect(requirement).toMatchObject({ missing: 1, given: [{ actor: { id: boss.id } }] });
    expect((await approve(runId, ann)).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });

  it("by members of a team that are not people", async () => {
    const forged = [await roleToken(boss, { role: "APPROVER", actor: "USER" }), await serviceAccount(boss)];
    const teamId = await team(boss.id, ann.id, ...forged.map(({ id }) => id));
    const { runId } = await atPlanGate({ ...TWO, teamIds: [teamId] });
    for (const each of forged) expect(await approve(runId, each)).toMatchObject({ code: "FORBIDDEN" });
    await approve(runId, boss);
    expect(await statusOf(runId)).toBe("AWAITING_PLAN_APPROVAL");
    const { approvalRequirements } = await needs(runId, boss);
    expect(approvalRequirements[0].eligibleActors).toEqual([{ id: ann.id }]);
  });

  it("by a name that was free again, or a person that was disabled", async () => {
    const { runId } = await atPlanGate(TWO);
    const gone = await signedIn(scene, `gone-${randomUUID()}`, "APPROVER");
    await must("disableUser", { userId: gone.id }, "actor { id }", boss);
    expect((await gone.send("{ viewer { role } }")).status).toBe(401);
    await approve(runId, boss);
    expect(
      await approve(runId, await roleToken(boss, { role: "APPROVER", name: `gone-${randomUUID()}` })),
    ).toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await statusOf(runId)).toBe("AWAITING_PLAN_APPROVAL");
  });

  it("by a bulk operation", async () => {
    const { runId, workspaceId } = await atPlanGate(TWO);
    await approve(runId, boss);
    const forged = await roleToken(boss, { role: "APPROVER", actor: "USER" });
    const input = { filter: { workspaceId }, action: "APPROVE", gate: "PLAN" };
    await must("bulkRunAction", input, "operation { id }", forged);
    const { bulkRound } = await import("../../../src/domain/bulk/bulk-round.ts");
    await bulkRound(scene.server.deps, new AbortController().signal);
    const items = await scene.rows("select code, ok from bulk_item where run_id = $1", runId);
    expect(items).toEqual([{ code: "FORBIDDEN", ok: false }]);
    expect(await statusOf(runId)).toBe("AWAITING_PLAN_APPROVAL");
  });

  it("where the apply asks for another person than the plan", async () => {
    const other = { name: "other", gate: "APPLY", distinctFromPlanApprover: true };
    const { runId } = await atPlanGate(other);
    const forged = await roleToken(boss, { role: "ADMIN", actor: "USER" });
    expect(await approve(runId, forged)).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("distinguishes people"),
    });
    expect((await approve(runId, boss)).run.status).toBe("AWAITING_APPLY_APPROVAL");
    for (const each of [boss, forged])
      expect(await approve(runId, each, { gate: "APPLY" })).toMatchObject({ code: "FORBIDDEN" });
    expect((await approve(runId, ann, { gate: "APPLY" })).run.status).toBe("CONFIRMED");
  });

  it("by a plan that a token approved before it is applied", async () => {
    const rules = [{ name: "other", gate: "APPLY", kinds: ["APPLY"], distinctFromPlanApprover: true }];
    const workspaceId = await scene.createWorkspace({
      approvalRules: [...rules, { name: "look", gate: "PLAN", kinds: ["PLAN"] }],
    });
    const planRunId = await scene.plan(workspaceId);
    const forged = await roleToken(boss, { role: "ADMIN", actor: "USER" });
    expect(await approve(planRunId, forged)).toMatchObject({ code: "FORBIDDEN" });
    expect((await approve(planRunId, boss)).run.outcome).toBe("PLANNED");
  });
});

it("a plan that a machine approved is not approved for an apply without such a rule", async () => {
  const look = { name: "look", gate: "PLAN", kinds: ["PLAN"], machinesCount: true };
  const machine = await serviceAccount(scene.api);
  const applied = async (by: Api): Promise<string> => {
    const workspaceId = await scene.createWorkspace({ approvalRules: [look] });
    const planRunId = await scene.plan(workspaceId);
    expect((await approve(planRunId, by)).run.outcome).toBe("PLANNED");
    return (await scene.send("createRun", { workspaceId, kind: "APPLY", planRunId })).run.status;
  };
  expect([await applied(machine), await applied(ann)]).toEqual(["AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL"]);
});

describe("what an administrator can do alone is recorded", () => {
  it("a rule that is changed: runs follow the rules of now, and the history names who did it", async () => {
    const { runId, workspaceId } = await atPlanGate(TWO);
    await approve(runId, boss);
    await must("updateWorkspace", { workspaceId, approvalRules: [] }, "workspace { id }", boss);
    expect(await statusOf(runId)).toBe("AWAITING_PLAN_APPROVAL");
    expect((await approve(runId, boss)).run.status).toBe("AWAITING_APPLY_APPROVAL");
    const events = await scene.rows(
      "select actor_id, fields from workspace_event where workspace_id = $1",
      workspaceId,
    );
    expect(events).toContainEqual({ actor_id: boss.id, fields: ["approvalRules"] });
  });

  it("a rule of the organization takes its administrators", async () => {
    const approver = await signedIn(scene, "rules", "APPROVER");
    const input = { organizationId, approvalRules: [] };
    expect(await scene.send("updateOrganization", input, approver)).toMatchObject({ code: "FORBIDDEN" });
  });

  it("an invitation, where there is an identity provider: the person counts where one approval is enough", async () => {
    const oidc = {
      issuer: "https://login.example.com",
      clientId: "holdpoint",
      clientSecret: "secret",
      scopes: "openid",
      groupsClaim: "groups",
      adminGroup: null,
      domains: [],
    };
    await using other = await openScene(1000, { standing: true, signIn: { origin: SITE, oidc } });
    const [chief, peer] = [await signedIn(other, "chief", "ADMIN"), await signedIn(other, "peer", "APPROVER")];
    const second = await invited(other, chief);
    const { runId } = await other.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { approvalRules: [TWO] });
    await approve(runId, chief, {}, other);
    expect(await approve(runId, second, {}, other)).toMatchObject({ code: "FORBIDDEN" });
    const { approvalRequirements } = await needs(runId, chief);
    expect(approvalRequirements[0].eligibleActors).toEqual([{ id: peer.id }]);
    expect((await approve(runId, peer, {}, other)).run.status).toBe("AWAITING_APPLY_APPROVAL");
    expect((await approve(runId, second, { gate: "APPLY" }, other)).run.status).toBe("CONFIRMED");
    // Once the provider knows the person, it counts.
    await other.rows(
      "insert into identity (issuer, subject, actor_id, created_at, last_login_at) values ('i', 's', $1, now(), now())",
      second.id,
    );
    const next = await other.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { approvalRules: [TWO] });
    await approve(next.runId, chief, {}, other);
    expect((await approve(next.runId, second, {}, other)).run.status).toBe("AWAITING_APPLY_APPROVAL");
    expect(other.server.reported).toEqual([]);
  });
});

describe("an installation with tokens alone", () => {
  it("has a run approved by one administrator's token, and by a token with a role", async () => {
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    expect((await approve(runId, scene.api)).run.status).toBe("AWAITING_APPLY_APPROVAL");
    const named = await roleToken(scene.api, { role: "APPROVER", actor: "USER" });
    expect((await approve(runId, named, { gate: "APPLY" })).run.status).toBe("CONFIRMED");
    const one = await atPlanGate({ name: "one", gate: "PLAN", approverIds: [ADMIN_ACTOR_ID], commentRequired: true });
    expect((await approve(one.runId, scene.api, { comment: "seen" })).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });

  it("does not have a run approved by machines, unless a rule lets them count", async () => {
    const machine = await serviceAccount(scene.api);
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    expect(await approve(runId, machine)).toMatchObject({ code: "FORBIDDEN" });
    expect(await actionOf(runId, machine)).toMatchObject({ allowed: false, code: "FORBIDDEN" });
    const counting = await atPlanGate({ name: "any", gate: "PLAN", machinesCount: true });
    expect(await actionOf(counting.runId, machine)).toMatchObject({ allowed: true });
    expect((await approve(counting.runId, machine)).run.status).toBe("AWAITING_APPLY_APPROVAL");
    const [row] = await scene.rows("select approver_kind from approval where run_id = $1", counting.runId);
    expect(row).toEqual({ approver_kind: "MACHINE" });
  });

  it("has a gate of two tokens where the rule lets machines count", async () => {
    const { runId } = await atPlanGate({ ...TWO, machinesCount: true });
    const named = await roleToken(scene.api, { role: "APPROVER", actor: "USER" });
    await approve(runId, scene.api);
    expect((await needs(runId, named)).approvalRequirements[0]).toMatchObject({ missing: 1, machinesCount: true });
    expect((await approve(runId, named)).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });

  it("learns from a refused rule how a gate of two works", async () => {
    await using alone = await openScene();
    await alone.login("APPROVER");
    const input = { name: "w", source: { directory: { path: "/" } }, approvalRules: [TWO] };
    const { issues } = await alone.send("createWorkspace", input);
    expect(issues).toContainEqual({
      path: ["approvalRules", "0", "minimum"],
      message:
        "must not be more than the people who can approve: no one can approve here. A token alone does not show which person it is: let people sign in, or let tokens and machines count (machinesCount).",
    });
  });
});

describe("a rule that names teams", () => {
  it("counts members, by a session and by a token, and shows them as eligible", async () => {
    const bob = await signedIn(scene, "bob", "APPROVER");
    const teamId = await team(ann.id);
    const { runId } = await atPlanGate({ name: "team", gate: "PLAN", teamIds: [teamId] });
    const seen = await needs(runId, ann);
    expect(seen.approvalRequirements[0]).toMatchObject({
      viewerCanApprove: true,
      viewerReason: null,
      eligibleActors: [{ id: ann.id }],
    });
    expect(await actionOf(runId, ann)).toMatchObject({ allowed: true });
    const words =
      'The approval rule "team" counts only its named approvers and teams (approverIds, teamIds). One of them must approve.';
    expect(await approve(runId, bob)).toMatchObject({ code: "FORBIDDEN", message: words });
    expect(await actionOf(runId, bob)).toMatchObject({ allowed: false, code: "FORBIDDEN", reason: words });
    expect((await needs(runId, bob)).approvalRequirements[0]).toMatchObject({
      viewerCanApprove: false,
      viewerReason: words,
    });
    expect((await approve(runId, await tokenOf(ann.id, ann))).run.status).toBe("AWAITING_APPLY_APPROVAL");
    const [row] = await scene.rows("select approver_kind, team_ids from approval where run_id = $1", runId);
    expect(row.approver_kind).toBe("PERSON");
    expect(row.team_ids).toContain(teamId);
  });

  it("counts who was a member then: one who left since counts, one who came since approves again", async () => {
    const bob = await signedIn(scene, "bob", "APPROVER");
    const teamId = await team(ann.id, boss.id, bob.id);
    const { runId, workspaceId } = await atPlanGate({ ...TWO, teamIds: [teamId] });
    await approve(runId, ann);
    await must("removeTeamMember", { teamId, actorId: ann.id }, "team { id }");
    expect((await needs(runId, ann)).approvalRequirements[0]).toMatchObject({
      missing: 1,
      given: [{ actor: { id: ann.id } }],
    });
    expect(await approve(runId, ann)).toMatchObject({ code: "FORBIDDEN" });
    const later = await team(bob.id, boss.id);
    await must("updateWorkspace", { workspaceId, approvalRules: [{ ...TWO, teamIds: [later] }] }, "workspace { id }");
    expect((await needs(runId, boss)).approvalRequirements[0]).toMatchObject({ missing: 2, given: [] });
    await must("addTeamMember", { teamId: later, actorId: ann.id }, "team { id }");
    expect((await needs(runId, ann)).approvalRequirements[0]).toMatchObject({ missing: 2, viewerCanApprove: true });
    await approve(runId, ann);
    expect((await approve(runId, bob)).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });

  it("does not count a membership that has lapsed, or a team that was deleted", async () => {
    const [lapsed, deleted] = [await team(ann.id), await team(ann.id)];
    const rules = [{ name: "teams", gate: "PLAN", teamIds: [lapsed, deleted] }];
    const { runId, workspaceId } = await atPlanGate(...rules);
    await scene.rows("update team_member set lapses_at = $2 where team_id = $1", lapsed, scene.server.deps.clock());
    expect(await actionOf(runId, ann)).toMatchObject({ allowed: true });
    // As in a database of a time when a team could be deleted while a rule named it.
    await scene.rows("update team set deleted_at = $2 where id = $1", deleted, scene.server.deps.clock());
    expect(await actionOf(runId, ann)).toMatchObject({ allowed: false });
    expect(await approve(runId, ann)).toMatchObject({ code: "FORBIDDEN" });
    const { approvalRequirements } = await needs(runId, ann);
    expect(approvalRequirements[0].eligibleActors).toEqual([]);
    const shown = await rulesOf(workspaceId, scene.api);
    expect(shown[0].teamIds).toEqual([lapsed, deleted]);
    expect(shown[0].teams).toEqual([{ id: lapsed }]);
    expect(await issuesOf({ workspaceId, approvalRules: rules })).toContain("approvalRules.0.teamIds.1");
  });

  it("can be satisfied by the members who may approve", async () => {
    const reader = await signedIn(scene, "reader", "READER");
    const teamId = await team(ann.id, reader.id);
    const workspaceId = await scene.createWorkspace();
    const change = (minimum: number, more: object = {}) =>
      issuesOf({ workspaceId, approvalRules: [{ ...TWO, minimum, teamIds: [teamId], ...more }] });
    expect(await change(2)).toEqual(["approvalRules.0.minimum"]);
    expect(await change(2, { approverIds: [boss.id] })).toEqual([]);
    expect(await change(1)).toEqual([]);
  });

  it("is refused for what is no team of the organization, and alike for one that the caller may not read", async () => {
    const { organization } = await must(
      "createOrganization",
      { slug: `o-${randomUUID().slice(0, 8)}`, name: "Elsewhere" },
      "organization { id }",
    );
    const elsewhere = await must("createTeam", { organizationId: organization.id, name: "there" }, "team { id }");
    const known = await team(ann.id);
    const workspaceId = await scene.createWorkspace();
    const naming = (id: string, by: Api) =>
      scene.send("updateWorkspace", { workspaceId, approvalRules: [{ name: "r", gate: "PLAN", teamIds: [id] }] }, by);
    const message = "must be the id of a team of the organization that you may read.";
    const refused = { code: "INVALID_INPUT", issues: [{ path: ["approvalRules", "0", "teamIds", "0"], message }] };
    for (const id of [elsewhere.team.id, "team_00000000000000000000000000", "usr_1", "\u0000"]) {
      expect(await naming(id, scene.api), id).toMatchObject(refused);
    }
    // The role APPROVER sets rules, and reads no teams.
    expect(await naming(known, ann)).toMatchObject(refused);
    expect((await naming(known, scene.api)).__typename).toBe("UpdateWorkspaceSuccess");
    expect((await naming(known, ann)).__typename).toBe("UpdateWorkspaceSuccess");
    const shown = await rulesOf(workspaceId, ann);
    expect(shown).toMatchObject([{ teamIds: [known], teams: [] }]);
    const twice = { workspaceId, approvalRules: [{ name: "r", gate: "PLAN", teamIds: [known, known] }] };
    expect(await issuesOf(twice)).toEqual(["approvalRules.0.teamIds"]);
  });
});

const rulesOf = async (id: string, by: Api): Promise<Data> =>
  (
    await by.ask(
      "query ($id: ID!) { workspace(by: { id: $id }) { approvalRules { teamIds teams { id } machinesCount requirePresence } } }",
      { id },
    )
  ).workspace.approvalRules;
const issuesOf = async (input: object): Promise<string[]> => {
  const answer = await scene.send("updateWorkspace", input);
  return (answer.issues ?? []).map(({ path }: Data) => path.join("."));
};

describe("a rule that requires presence", () => {
  const PRESENT = { name: "present", gate: "PLAN", requirePresence: true };

  it("takes a session whose person signed in during the last ten minutes", async () => {
    const { runId } = await atPlanGate(PRESENT);
    const late = await signedIn(scene, "ann", null, 10 * MINUTE + 1);
    const token = await tokenOf(ann.id, ann);
    for (const by of [late, token]) {
      const answer = await by.ask(
        `mutation ($input: ApproveRunInput!) { approveRun(input: $input) { __typename
          ... on ReauthenticationRequiredError { code message url methods } } }`,
        { input: { runId, gate: "PLAN", planVersion: 1 } },
      );
      expect(answer.approveRun).toEqual({
        __typename: "ReauthenticationRequiredError",
        code: "REAUTHENTICATION_REQUIRED",
        message: expect.stringMatching(
          /^The approval rule "present" takes a sign-in of the last 10 minutes\. Sign in again/,
        ),
        url: `${SITE}/auth/login?fresh=1`,
        methods: ["OIDC"],
      });
      expect(await actionOf(runId, by)).toMatchObject({ allowed: false, code: "REAUTHENTICATION_REQUIRED" });
      const { approvalRequirements } = await needs(runId, by);
      expect(approvalRequirements[0]).toMatchObject({ viewerCanApprove: false, requirePresence: true });
    }
    expect(await scene.rows("select id from approval where run_id = $1", runId)).toEqual([]);
    const [rejected] = await scene.rows("select code from rejected_command where subject_id = $1 limit 1", runId);
    expect(rejected).toEqual({ code: "REAUTHENTICATION_REQUIRED" });
    const lately = await signedIn(scene, "ann", null, 10 * MINUTE);
    const { run } = await approve(runId, lately);
    expect(run.status).toBe("AWAITING_APPLY_APPROVAL");
    const shown = await scene.api.ask("query ($id: ID!) { run(id: $id) { approvals { present } } }", { id: runId });
    expect(shown.run.approvals).toEqual([{ present: true }]);
  });

  it("refuses first what signing in does not mend", async () => {
    const { runId } = await atPlanGate({ ...PRESENT, approverIds: [boss.id] });
    expect(await approve(runId, await tokenOf(ann.id, ann))).toMatchObject({ code: "FORBIDDEN" });
    const forged = await roleToken(boss, { role: "APPROVER", actor: "USER" });
    const any = await atPlanGate(PRESENT);
    expect(await approve(any.runId, forged)).toMatchObject({ code: "FORBIDDEN" });
  });

  it("does not count an approval that was given without, also where the rule came later", async () => {
    const { runId, workspaceId } = await atPlanGate({ ...TWO, teamIds: [] });
    const token = await tokenOf(ann.id, ann);
    await approve(runId, token);
    const rules = [{ ...TWO, requirePresence: true }];
    await must("updateWorkspace", { workspaceId, approvalRules: rules }, "workspace { id }");
    expect((await needs(runId, ann)).approvalRequirements[0]).toMatchObject({ missing: 2, given: [] });
    await approve(runId, await signedIn(scene, "ann", null));
    expect((await needs(runId, ann)).approvalRequirements[0]).toMatchObject({
      missing: 1,
      given: [{ present: true, actor: { id: ann.id } }],
    });
  });

  it("is refused beside machinesCount, and so is a machine that is named and does not count", async () => {
    const workspaceId = await scene.createWorkspace();
    const machine = await serviceAccount(scene.api);
    const change = (rule: object) => issuesOf({ workspaceId, approvalRules: [{ name: "r", gate: "PLAN", ...rule }] });
    expect(await change({ requirePresence: true, machinesCount: true })).toContain("approvalRules.0.requirePresence");
    expect(await change({ approverIds: [machine.id] })).toContain("approvalRules.0.approverIds.0");
    expect(await change({ approverIds: [machine.id], machinesCount: true })).toEqual([]);
  });
});

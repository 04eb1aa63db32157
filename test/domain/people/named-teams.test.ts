/** Teams that approval rules name: they are not deleted, and a rule does not come to name one that is. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PEOPLE_COMMANDS } from "../../../src/domain/people/people-commands.ts";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import { builtInRoleId } from "../../../src/model/people/role.ts";
import { type Api, createApi, type Data } from "../../support/api.ts";
import type { InProcess } from "../../support/in-process.ts";
import { overlapping } from "../../support/overlapping.ts";
import { bucketRule, createPolicySet, pushVersion, sendPolicy, setVersionState } from "../../support/policy-steps.ts";
import { openScene, type Scene } from "../scene.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;

let scene: Scene;
let other: InProcess;
beforeAll(async () => {
  scene = await openScene();
  other = await scene.server.second();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});
afterEach(() => expect([...scene.server.reported, ...other.reported]).toEqual([]));

async function send(name: string, input: object, fields: string, by: Api = scene.api): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { ${name}(input: $input) {
    ... on ${type}Success { ${fields} } ... on UserError { code message } } }`;
  return (await by.ask(document, { input }))[name];
}
const createTeam = async (): Promise<string> => {
  const { team } = await send("createTeam", { organizationId, name: randomUUID() }, "team { id }");
  await send("addTeamMember", { teamId: team.id, actorId: ADMIN_ACTOR_ID }, "team { id }");
  return team.id;
};
const naming = (...teamIds: string[]) => [{ name: "ops", gate: "PLAN", teamIds, machinesCount: true }];
const deleteTeam = (teamId: string, by?: Api): Promise<Data> => send("deleteTeam", { teamId }, "deletedId", by);
const isKept = async (teamId: string): Promise<boolean> => {
  const rows = await scene.rows("select id from team where id = $1 and deleted_at is null", teamId);
  return rows.length === 1;
};
async function administrator(): Promise<ActorCaller> {
  const owned = await send("createToken", { ownerId: ADMIN_ACTOR_ID, name: randomUUID() }, "secret");
  return (await scene.server.domain.authenticate(owned.secret)) ?? expect.fail("The token is not known.");
}

describe("a team that approval rules name", () => {
  it("is not deleted, and the error names the rules", async () => {
    const teamId = await createTeam();
    const workspaceId = await scene.createWorkspace({ name: "network", approvalRules: naming(teamId) });
    const approvalRules = naming(teamId);
    await send("updateOrganization", { organizationId, approvalRules }, "organization { id }");
    const refused = (rules: string) => ({
      code: "INVALID_INPUT",
      message: `teamId: must be a team that no approval rule names: ${rules}. Change these rules first.`,
    });
    expect(await deleteTeam(teamId)).toEqual(refused('"ops" of the organization, "ops" of the workspace "network"'));
    await send("updateOrganization", { organizationId, approvalRules: [] }, "organization { id }");
    expect(await deleteTeam(teamId)).toEqual(refused('"ops" of the workspace "network"'));
    expect(await isKept(teamId)).toBe(true);
    await send("updateWorkspace", { workspaceId, approvalRules: [] }, "workspace { id }");
    expect(await deleteTeam(teamId)).toEqual({ deletedId: teamId });
  });

  it("is deleted where the workspace of the rule was", async () => {
    const teamId = await createTeam();
    const workspaceId = await scene.createWorkspace({ approvalRules: naming(teamId) });
    await scene.rows("update workspace set deleted_at = now() where id = $1", workspaceId);
    expect(await deleteTeam(teamId)).toEqual({ deletedId: teamId });
  });

  it("has at most five of them in the error, and a count of the others", async () => {
    const teamId = await createTeam();
    for (let i = 0; i < 7; i++) await scene.createWorkspace({ name: `seven-${i}`, approvalRules: naming(teamId) });
    const { message } = await deleteTeam(teamId);
    expect(message).toContain('"ops" of the workspace "seven-4", and 2 more.');
    expect(message).not.toContain("seven-5");
  });

  it("has no rule in the error of a workspace that the caller may not read", async () => {
    const teamId = await createTeam();
    /** In a project that is isolated from the grant of the caller. */
    const hide = async (name: string): Promise<void> => {
      const { project } = await send("createProject", { organizationId, name: randomUUID() }, "project { id }");
      await scene.createWorkspace({ name, projectId: project.id, approvalRules: naming(teamId) });
      await send("updateProject", { projectId: project.id, isolated: true }, "project { id }");
    };
    await hide("hidden");
    const { actor } = await send("createServiceAccount", { organizationId, name: randomUUID() }, "actor { id }");
    await send(
      "createGrant",
      { principalId: actor.id, roleId: builtInRoleId("ADMIN"), scopeId: organizationId },
      "grant { id }",
    );
    const { secret } = await send("createToken", { ownerId: actor.id, name: randomUUID() }, "secret");
    const caller = createApi(scene.server.url, secret);
    const of = "teamId: must be a team that no approval rule names:";
    const then = "Change these rules first.";
    expect(await deleteTeam(teamId, caller)).toMatchObject({
      message: `${of} 1 of a workspace that you may not read. ${then}`,
    });
    await hide("hidden-2");
    expect(await deleteTeam(teamId, caller)).toMatchObject({
      message: `${of} 2 of workspaces that you may not read. ${then}`,
    });
    await scene.createWorkspace({ name: "shown", approvalRules: naming(teamId) });
    expect(await deleteTeam(teamId, caller)).toMatchObject({
      message: `${of} "ops" of the workspace "shown", and 2 more. ${then}`,
    });
  });
});

const overridersOf = (teamId: string) => ({ teamIds: [teamId] });
const demandOf = (teamId: string) => [{ ...bucketRule, approvers: { name: "dba", teamIds: [teamId] } }];
const newSet = async (input: object = {}): Promise<string> => (await createPolicySet(scene.api, input)).policySet.id;

describe("a team that policy sets name", () => {
  it("is not deleted: as overrider, or where a version that judges demands its approval", async () => {
    const teamId = await createTeam();
    const policySetId = await newSet({ name: "storage", overriders: overridersOf(teamId) });
    const { version } = await pushVersion(scene.api, { policySetId, rules: demandOf(teamId), state: "ACTIVE" });
    await pushVersion(scene.api, { policySetId, rules: demandOf(teamId), state: "SHADOW" });
    await pushVersion(scene.api, { policySetId, rules: demandOf(teamId) });
    const refused = (sets: string) => ({
      code: "INVALID_INPUT",
      message: `teamId: must be a team that no policy set names: ${sets}. Change these sets first.`,
    });
    expect(await deleteTeam(teamId)).toEqual(refused('"storage" (overriders, approvers in its versions 1 and 2)'));
    await sendPolicy(scene.api, "updatePolicySet", { policySetId, overriders: {} }, "policySet { id }");
    await pushVersion(scene.api, { policySetId, rules: [bucketRule], state: "SHADOW" });
    expect(await deleteTeam(teamId)).toEqual(refused('"storage" (approvers in its version 1)'));
    expect(await isKept(teamId)).toBe(true);
    await setVersionState(scene.api, version.id, "RETIRED");
    expect(await deleteTeam(teamId)).toEqual({ deletedId: teamId });
    const again = await setVersionState(scene.api, version.id, "ACTIVE");
    expect(again.issues).toEqual([
      {
        path: ["versionId"],
        message:
          'must demand approvals of teams that exist: the rule "no-public-bucket" names one that was deleted. Push a version without it.',
      },
    ]);
  });

  it("is deleted once the set was, and is named beside the approval rules", async () => {
    const teamId = await createTeam();
    const policySetId = await newSet({ name: "gone", overriders: overridersOf(teamId) });
    const workspaceId = await scene.createWorkspace({ name: "both", approvalRules: naming(teamId) });
    const { message } = await deleteTeam(teamId);
    expect(message).toContain('no approval rule names: "ops" of the workspace "both"');
    expect(message).toContain('no policy set names: "gone" (overriders)');
    await send("updateWorkspace", { workspaceId, approvalRules: [] }, "workspace { id }");
    await sendPolicy(scene.api, "deletePolicySet", { policySetId }, "deletedId");
    expect(await deleteTeam(teamId)).toEqual({ deletedId: teamId });
  });

  it("has at most five of them in the error, and a count alone for a caller who may read none", async () => {
    const teamId = await createTeam();
    for (let i = 0; i < 6; i++) await newSet({ name: `six-${i}`, overriders: overridersOf(teamId) });
    const { message } = await deleteTeam(teamId);
    expect(message).toContain('"six-4" (overriders), and 1 more. Change');
    const permissions = ["MEMBER_WRITE", "MEMBER_READ", "ORGANIZATION_READ"];
    const { role } = await send("createRole", { organizationId, name: randomUUID(), permissions }, "role { id }");
    const { actor } = await send("createServiceAccount", { organizationId, name: randomUUID() }, "actor { id }");
    await send("createGrant", { principalId: actor.id, roleId: role.id, scopeId: organizationId }, "grant { id }");
    const { secret } = await send("createToken", { ownerId: actor.id, name: randomUUID() }, "secret");
    expect(await deleteTeam(teamId, createApi(scene.server.url, secret))).toMatchObject({
      message: "teamId: must be a team that no policy set names: 6 that you may not read. Change these sets first.",
    });
  });
});

/** The rules are checked before their transaction begins, so that only a lock finds the deletion. */
describe("a rule that comes to name a team while the team is deleted", () => {
  const named = async () => ({ teamId: await createTeam(), workspaceId: await scene.createWorkspace() });
  const changes: Record<string, (teamId: string, workspaceId: string) => Promise<Data>> = {
    updateWorkspace: (teamId, workspaceId) =>
      send("updateWorkspace", { workspaceId, approvalRules: naming(teamId) }, "workspace { id }"),
    createWorkspace: (teamId) =>
      scene.send("createWorkspace", {
        organization: "default",
        name: randomUUID(),
        source: { directory: { path: scene.server.sourceRoot } },
        approvalRules: naming(teamId),
      }),
    updateOrganization: (teamId) =>
      send("updateOrganization", { organizationId, approvalRules: naming(teamId) }, "organization { id }"),
  };

  it.each(Object.entries(changes))("is refused: %s", async (_name, change) => {
    const { teamId, workspaceId } = await named();
    const caller = await administrator();
    const ended = await overlapping(
      other.deps,
      (deps) => PEOPLE_COMMANDS.deleteTeam.run(deps, caller, { teamId }),
      () => change(teamId, workspaceId),
    );
    expect(ended).toMatchObject({
      value: { message: "approvalRules.0.teamIds.0: must be the id of a team of the organization that you may read." },
    });
    expect(await isKept(teamId)).toBe(false);
    const rules = await scene.rows(
      "select id from workspace where approval_rules::text like $1 union select id from organization where approval_rules::text like $1",
      `%${teamId}%`,
    );
    expect(rules).toEqual([]);
  });
});

describe("a policy set that comes to name a team while the team is deleted", () => {
  const named = async () => {
    const teamId = await createTeam();
    const policySetId = await newSet();
    const { version } = await pushVersion(scene.api, { policySetId, rules: demandOf(teamId) });
    return { teamId, policySetId, versionId: version.id };
  };
  type Named = Awaited<ReturnType<typeof named>>;
  const gone = "must be the id of a team of the organization that you may read.";
  const changes: [string, string, string, (of: Named) => Promise<Data>][] = [
    [
      "createPolicySet",
      "overriders.teamIds.0",
      gone,
      ({ teamId }) => createPolicySet(scene.api, { overriders: overridersOf(teamId) }),
    ],
    [
      "updatePolicySet",
      "overriders.teamIds.0",
      gone,
      ({ teamId, policySetId }) =>
        sendPolicy(scene.api, "updatePolicySet", { policySetId, overriders: overridersOf(teamId) }, "policySet { id }"),
    ],
    [
      "pushPolicySetVersion",
      "rules.0.approvers.teamIds.0",
      gone,
      ({ teamId, policySetId }) => pushVersion(scene.api, { policySetId, rules: demandOf(teamId), state: "ACTIVE" }),
    ],
    [
      "setPolicySetVersionState",
      "versionId",
      "must demand approvals of teams that exist",
      ({ versionId }) => setVersionState(scene.api, versionId, "ACTIVE"),
    ],
  ];

  it.each(changes)("is refused: %s", async (_name, path, words, change) => {
    const of = await named();
    const caller = await administrator();
    const ended = await overlapping(
      other.deps,
      (deps) => PEOPLE_COMMANDS.deleteTeam.run(deps, caller, { teamId: of.teamId }),
      () => change(of),
    );
    const issue = { path: path.split("."), message: expect.stringContaining(words) };
    expect(ended).toMatchObject({ value: { code: "INVALID_INPUT", issues: [issue] } });
    expect(await isKept(of.teamId)).toBe(false);
    const judging = "select id from policy_set_version where set_id = $1 and state in ('ACTIVE', 'SHADOW')";
    expect(await scene.rows(judging, of.policySetId)).toEqual([]);
  });
});

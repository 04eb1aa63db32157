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

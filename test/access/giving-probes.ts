/** What a caller does not have itself it gives to no one: by grants, roles, teams, tokens, trust, or by moving things. */
import { randomUUID } from "node:crypto";
import type { Permission } from "../../src/model/people/permission-set.ts";
import { builtInRoleId, permissionsOf } from "../../src/model/people/role.ts";
import { permissionsIn } from "../../src/model/people/permission-set.ts";
import type { Api, Data } from "../support/api.ts";
import { allBut, callerWith, createAdministrator, createAdministrators, createProject, roleOf } from "./callers.ts";
import { closureOf } from "./principals.ts";
import type { Probe, WalkScene } from "./walk-scene.ts";

const TRUST = { issuer: "https://ci.example.com", audience: "holdpoint", subject: "repo:acme/app" };
const MAINTAINED = permissionsIn(permissionsOf("MAINTAINER"));

/** Sends a command; gives its answer with what it says about the input. */
type Ask = (api: Api, name: string, input: object) => Promise<Data>;

export function givingProbes(walk: WalkScene): Probe[] {
  const { organizationId, make } = walk;
  const ask: Ask = (api, name, input) => send(api, name, input);
  const refused = (name: string, command: string, by: () => Promise<[Api, object]>): Probe => ({
    name,
    async run() {
      const answer = await ask(...(await by().then(([api, input]) => [api, command, input] as const)));
      const isRefused = answer.code === "FORBIDDEN" && String(answer.message).startsWith("You cannot give permissions");
      return isRefused ? null : JSON.stringify(answer);
    },
  });
  const only = (...permissions: Permission[]): Promise<Api> => walk.having(closureOf(permissions));
  return [
    refused("createGrant of a role with more", "createGrant", async () => [
      await only("GRANT_WRITE"),
      { principalId: await walk.createAccount(), roleId: builtInRoleId("ADMIN"), scopeId: organizationId },
    ]),
    refused("createRole with more", "createRole", async () => [
      await only("ROLE_WRITE"),
      { organizationId, name: `r-${randomUUID()}`, permissions: closureOf(["RUN_DEPLOY"]) },
    ]),
    refused("updateRole to more", "updateRole", async () => [
      await only("ROLE_WRITE", "PROJECT_READ"),
      { roleId: await roleOf(walk, ["PROJECT_READ"]), permissions: closureOf(["RUN_DEPLOY"]) },
    ]),
    refused("addTeamMember to a team with more", "addTeamMember", async () => [
      await only("MEMBER_WRITE"),
      { teamId: await createAdministrators(walk), actorId: await walk.createAccount() },
    ]),
    refused("updateTeam with more to other groups", "updateTeam", async () => [
      await only("MEMBER_WRITE"),
      { teamId: await createAdministrators(walk), externalIds: ["everyone"] },
    ]),
    refused("inviteMember into a team with more", "inviteMember", async () => [
      await only("MEMBER_WRITE"),
      { organizationId, name: "Ann", teamIds: [await createAdministrators(walk)] },
    ]),
    refused("createToken of a machine user with more", "createToken", async () => [
      await only("TOKEN_WRITE", "MEMBER_READ"),
      { name: "ci", ownerId: await createAdministrator(walk) },
    ]),
    refused("rotateToken of a machine user with more", "rotateToken", async () => {
      const input = { name: "ci", ownerId: await createAdministrator(walk) };
      const { token } = await make("createToken", input, "token { id }");
      return [await only("TOKEN_WRITE", "MEMBER_READ"), { tokenId: token.id }];
    }),
    refused("createTrustRule of a machine user with more", "createTrustRule", async () => [
      await only("TOKEN_WRITE", "MEMBER_READ"),
      { serviceAccountId: await createAdministrator(walk), ...TRUST },
    ]),
    ...movingProbes(walk, refused, ask),
    ...hiddenProbes(walk, ask),
  ];
}

/** Moves into a project in which the caller, or what is moved, has more rights. */
function movingProbes(
  walk: WalkScene,
  refused: (name: string, command: string, by: () => Promise<[Api, object]>) => Probe,
  ask: Ask,
): Probe[] {
  const { scene } = walk;
  const workspaceIn = (projectId: string): Promise<string> => scene.createWorkspace({ projectId });
  const forbidden = async (api: Api, name: string, input: object, permission: Permission): Promise<string | null> => {
    const answer = await ask(api, name, input);
    return answer.code === "FORBIDDEN" && answer.permission === permission ? null : JSON.stringify(answer);
  };
  return [
    refused("moveWorkspace to where the caller has more", "moveWorkspace", async () => {
      const [from, to] = [await createProject(walk), await createProject(walk)];
      const api = await callerWith(walk, { [from]: ["WORKSPACE_DELETE"], [to]: MAINTAINED });
      return [api, { workspaceId: await workspaceIn(from), toProjectId: to }];
    }),
    refused("moveWorkspace whose runs have more", "moveWorkspace", async () => {
      const [from, to] = [await createProject(walk), await createProject(walk)];
      const workspaceId = await workspaceIn(from);
      await walk.grant(workspaceId, "ADMIN", walk.organizationId);
      return [await callerWith(walk, { [from]: MAINTAINED, [to]: MAINTAINED }), { workspaceId, toProjectId: to }];
    }),
    refused("moveProject to where the caller has more", "moveProject", async () => {
      const [projectId, to] = [await createProject(walk), await createProject(walk)];
      const mover = ["PROJECT_WRITE", "GRANT_WRITE"] as const;
      const api = await callerWith(walk, { [projectId]: mover, [to]: [...mover, ...MAINTAINED] });
      return [api, { projectId, toProjectId: to }];
    }),
    refused("moveProject in which runs have more", "moveProject", async () => {
      const [projectId, to] = [await createProject(walk), await createProject(walk)];
      await walk.grant(await workspaceIn(projectId), "ADMIN", walk.organizationId);
      const mover = ["PROJECT_WRITE", "GRANT_WRITE", ...MAINTAINED] as const;
      return [await callerWith(walk, { [projectId]: mover, [to]: mover }), { projectId, toProjectId: to }];
    }),
    {
      name: "moveProject without PROJECT_WRITE where it is",
      async run() {
        const [projectId, toProjectId] = [await createProject(walk), await createProject(walk)];
        const api = await callerWith(walk, { [projectId]: allBut("PROJECT_WRITE"), [toProjectId]: ["PROJECT_WRITE"] });
        return forbidden(api, "moveProject", { projectId, toProjectId }, "PROJECT_WRITE");
      },
    },
    {
      name: "moveProject without PROJECT_WRITE where it goes",
      async run() {
        const [projectId, toProjectId] = [await createProject(walk), await createProject(walk)];
        const api = await callerWith(walk, { [projectId]: allBut(), [toProjectId]: ["PROJECT_READ"] });
        return forbidden(api, "moveProject", { projectId, toProjectId }, "PROJECT_WRITE");
      },
    },
    ...(["moveProject", "moveWorkspace"] as const).map((name) => ({
      name: `${name} to a hidden project`,
      async run() {
        const [from, toProjectId] = [await createProject(walk), await createProject(walk)];
        const subject = name === "moveProject" ? { projectId: from } : { workspaceId: await workspaceIn(from) };
        const answer = await ask(await callerWith(walk, { [from]: allBut() }), name, { ...subject, toProjectId });
        return answer.code === "NOT_FOUND" ? null : JSON.stringify(answer);
      },
    })),
  ];
}

/** Names of what is hidden, and of what its name alone does not give. */
function hiddenProbes(walk: WalkScene, ask: Ask): Probe[] {
  const { scene, organizationId } = walk;
  const toRuns = (principalId: string) => ({ principalId, roleId: builtInRoleId("READER"), scopeId: organizationId });
  return [
    {
      name: "createGrant to the runs of a hidden workspace",
      async run() {
        const [scopeId, projectId] = [await createProject(walk), await createProject(walk)];
        const input = { ...toRuns(await scene.createWorkspace({ projectId })), scopeId };
        const answer = await ask(await callerWith(walk, { [scopeId]: allBut() }), "createGrant", input);
        return answer.code === "INVALID_INPUT" ? null : JSON.stringify(answer);
      },
    },
    {
      name: "createGrant to the runs of a workspace without WORKSPACE_UPDATE",
      async run() {
        const api = await walk.having(allBut("WORKSPACE_UPDATE"));
        const answer = await ask(api, "createGrant", toRuns(await scene.createWorkspace()));
        return answer.permission === "WORKSPACE_UPDATE" ? null : JSON.stringify(answer);
      },
    },
    {
      name: "createToken of a hidden machine user",
      async run() {
        const api = await callerWith(walk, { [await createProject(walk)]: allBut() });
        const answer = await ask(api, "createToken", { name: "ci", ownerId: await walk.createAccount() });
        return answer.code === "INVALID_INPUT" ? null : JSON.stringify(answer);
      },
    },
    {
      name: "createToken for a hidden project",
      async run() {
        const [projectId, hidden] = [await createProject(walk), await createProject(walk)];
        const api = await callerWith(walk, { [projectId]: allBut() });
        const { viewer } = await api.ask("{ viewer { actor { id } } }");
        const answer = await ask(api, "createToken", { name: "ci", ownerId: viewer.actor.id, scopeIds: [hidden] });
        return answer.code === "INVALID_INPUT" ? null : JSON.stringify(answer);
      },
    },
    {
      name: "updateWorkspace with a repository that the caller may not read",
      async run() {
        const projectId = await createProject(walk);
        const workspaceId = await scene.createWorkspace({ projectId });
        const host = { organizationId, kind: "GITHUB", name: `h-${randomUUID()}`, url: "https://github.com" };
        const { gitHost } = await walk.make("createGitHost", host, "gitHost { id }");
        const repository = { gitHostId: gitHost.id, name: `acme/${randomUUID()}` };
        const { id } = (await walk.make("createRepository", repository, "repository { id }")).repository;
        const input = { workspaceId, source: { git: { repositoryId: id, branch: "main" } } };
        const answer = await ask(await callerWith(walk, { [projectId]: allBut() }), "updateWorkspace", input);
        return JSON.stringify(answer).includes("that you may read") ? null : JSON.stringify(answer);
      },
    },
    {
      name: "deleteTeam that a rule of a hidden workspace names",
      async run() {
        const teamId = await createAdministrators(walk);
        const actorId = await createAdministrator(walk);
        await walk.tokenOf(actorId);
        await walk.make("addTeamMember", { teamId, actorId }, "team { id }");
        const approvalRules = [{ name: "two", gate: "PLAN", minimum: 1, machinesCount: true, teamIds: [teamId] }];
        const workspaceId = await scene.createWorkspace();
        await walk.make("updateWorkspace", { workspaceId, approvalRules }, "workspace { id }");
        const api = await callerWith(walk, { [organizationId]: ["MEMBER_WRITE"] });
        const answer = await ask(api, "deleteTeam", { teamId });
        return JSON.stringify(answer).includes("of a workspace that you may not read") ? null : JSON.stringify(answer);
      },
    },
    {
      name: "updateWorkspace with a rule that names a hidden team",
      async run() {
        const { team } = await walk.make("createTeam", { organizationId, name: `t-${randomUUID()}` }, "team { id }");
        const approvalRules = [{ name: "two", gate: "PLAN", minimum: 1, machinesCount: true, teamIds: [team.id] }];
        const input = { workspaceId: await scene.createWorkspace(), approvalRules };
        const answer = await ask(await walk.having(allBut("MEMBER_READ")), "updateWorkspace", input);
        const isNamed = JSON.stringify(answer).includes("of a team of the organization that you may read");
        return isNamed ? null : JSON.stringify(answer);
      },
    },
  ];
}

async function send(api: Api, name: string, input: object): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
    ... on UserError { code message } ... on ForbiddenError { permission }
    ${name === "updateWorkspace" || name === "deleteTeam" ? "... on InvalidInputError { issues { message } }" : ""} } }`;
  return (await api.ask(document, { input }))[name];
}

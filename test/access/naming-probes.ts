/** Errors and blockers that would name, or count, what the caller may not read. */
import { randomUUID } from "node:crypto";
import type { Permission } from "../../src/model/people/permission-set.ts";
import type { Api, Data } from "../support/api.ts";
import { claim } from "../support/fake-runner.ts";
import { createHost, createRepository } from "../support/repository-steps.ts";
import { callerWith, createProject } from "./callers.ts";
import type { Probe, WalkScene } from "./walk-scene.ts";

const HIDDEN = "workspaces that you may not read";

/** What an error says about the input. */
async function refusalOf(api: Api, name: string, input: object): Promise<string> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { made: ${name}(input: $input) { __typename
    ... on UserError { code message } ... on InvalidInputError { issues { message } } } }`;
  const { made } = await api.ask(document, { input });
  return (made.issues ?? []).map(({ message }: Data) => message).join() || JSON.stringify(made);
}

async function createIsolatedProject({ make, organizationId }: WalkScene, parentId?: string): Promise<string> {
  const input = { organizationId, name: `p-${randomUUID()}`, isolated: true, parentId };
  return (await make("createProject", input, "project { id }")).project.id;
}

export function namingProbes(walk: WalkScene): Probe[] {
  const says = (name: string, words: string, ask: () => Promise<string>): Probe => ({
    name,
    async run() {
      const text = await ask();
      return text.includes(words) ? null : `${text} instead of ${words}`;
    },
  });
  return [
    says("deleteRunnerPool of a hidden workspace", HIDDEN, () => deletePool(walk, false)),
    says("deleteRunnerPool of a hidden run", "works on a run", () => deletePool(walk, true)),
    says("deleteRepository of a hidden workspace", HIDDEN, () => deleteRepository(walk)),
    says("deleteProject with a hidden project", "something that you may not read", () =>
      deleteProject(walk, "project"),
    ),
    says("deleteProject with a hidden workspace", "something that you may not read", () =>
      deleteProject(walk, "workspace"),
    ),
    says("deleteWorkspace with a hidden dependent", HIDDEN, () => deleteUpstream(walk)),
    ...blockerProbes(walk),
  ];
}

async function createPool({ make, organizationId }: WalkScene): Promise<{ poolId: string; secret: string }> {
  const name = `pool-${randomUUID()}`;
  const { runnerPool } = await make("createRunnerPool", { organizationId, name }, "runnerPool { id }");
  const { secret } = await make("createRunnerToken", { poolId: runnerPool.id, name: "door" }, "secret");
  return { poolId: runnerPool.id, secret };
}

/** `isAtWork`: no workspace has the pool any more, and one of its runners works on a run. */
async function deletePool(walk: WalkScene, isAtWork: boolean): Promise<string> {
  const { scene, organizationId } = walk;
  const { poolId, secret } = await createPool(walk);
  const workspaceId = await scene.createWorkspace({ runnerPoolId: poolId });
  if (isAtWork) {
    await scene.createRun(workspaceId, { kind: "PLAN" });
    if ((await claim(scene.server.url, secret)) === null) throw new Error("The run is not offered to the pool.");
    await scene.quick("updateWorkspace", { workspaceId, runnerPoolId: null });
  }
  const api = await callerWith(walk, { [organizationId]: ["RUNNER_POOL_WRITE"] });
  return refusalOf(api, "deleteRunnerPool", { poolId });
}

async function deleteRepository(walk: WalkScene): Promise<string> {
  const { scene, organizationId } = walk;
  const { gitHost } = await createHost(scene.api, { organizationId, name: `h-${randomUUID()}` });
  const { id: repositoryId } = await createRepository(scene.api, gitHost.id);
  const workspaceId = await scene.createWorkspace();
  const toProjectId = await createIsolatedProject(walk);
  const source = { type: "git", url: "https://github.com/a/b", branch: "main", path: ".", repositoryId };
  const text = "update workspace set source = $2, project_id = $3 where id = $1";
  await scene.rows(text, workspaceId, JSON.stringify(source), toProjectId);
  const api = await callerWith(walk, { [organizationId]: ["ORGANIZATION_UPDATE", "WORKSPACE_READ"] });
  return refusalOf(api, "deleteRepository", { repositoryId });
}

async function deleteProject(walk: WalkScene, content: "project" | "workspace"): Promise<string> {
  const projectId = await createProject(walk);
  if (content === "project") await createIsolatedProject(walk, projectId);
  else await walk.scene.createWorkspace({ projectId });
  const api = await callerWith(walk, { [projectId]: ["PROJECT_WRITE"] });
  return refusalOf(api, "deleteProject", { projectId });
}

async function deleteUpstream(walk: WalkScene): Promise<string> {
  const { scene, make } = walk;
  const [upstreamId, workspaceId] = [await scene.createWorkspace(), await scene.createWorkspace()];
  await make("setWorkspaceDependencies", { workspaceId, dependencies: [{ upstreamId }] }, "workspace { id }");
  const api = await callerWith(walk, { [upstreamId]: ["WORKSPACE_DELETE"] });
  return refusalOf(api, "deleteWorkspace", { workspaceId: upstreamId });
}

function blockerProbes(walk: WalkScene): Probe[] {
  const { scene, organizationId } = walk;
  const blockerOf = async (...permissions: Permission[]): Promise<string> => {
    const { poolId } = await createPool(walk);
    const workspaceId = await scene.createWorkspace({ runnerPoolId: poolId });
    const runId = await scene.createRun(workspaceId, { kind: "PLAN" });
    const api = await callerWith(walk, { [workspaceId]: ["RUN_READ"], [organizationId]: permissions });
    const query = "query ($id: ID!) { run(id: $id) { blockers { kind message position } } }";
    const [{ kind, message, position }] = (await api.ask(query, { id: runId })).run.blockers;
    return `${kind} ${/pool/.test(message)} ${position}`;
  };
  const shows = (name: string, wanted: string, ...permissions: Permission[]): Probe => ({
    name,
    async run() {
      const got = await blockerOf(...permissions);
      return got === wanted ? null : `${got} instead of ${wanted}`;
    },
  });
  return [
    shows("a blocker for a reader of the workspace", "NO_RUNNER false null", "ORGANIZATION_READ"),
    shows("a blocker for a reader of runners", "NO_RUNNER true null", "RUNNER_READ"),
    shows("a blocker for a reader of figures", "NO_RUNNER false 1", "FIGURES_READ"),
  ];
}

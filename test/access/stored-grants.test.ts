/** Lists and objects over random trees of projects and grants that are stored: those of a naive evaluation, grant by grant. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { includes, type Permission } from "../../src/model/people/permission-set.ts";
import { type BuiltInRole, permissionsOf } from "../../src/model/people/role.ts";
import type { Api, Data } from "../support/api.ts";
import { createRandom } from "../support/random.ts";
import { openWalkScene, type WalkScene } from "./walk-scene.ts";

const PROJECTS = 9;
const CALLERS = 16;
/** Without the right to grant, which reaches into isolated projects. */
const ROLES: readonly BuiltInRole[] = ["READER", "PLANNER", "WRITER", "AUDITOR"];

interface Project {
  id: string;
  organizationId: string;
  parent: Project | null;
  isolated: boolean;
}

interface Spot {
  project: Project;
  workspaceId: string;
  runId: string;
}

interface Held {
  role: BuiltInRole;
  scopeId: string;
}

const random = createRandom(20261126);
let walk: WalkScene;
let organizationIds: string[];
const projects: Project[] = [];
const spots: Spot[] = [];
beforeAll(async () => {
  walk = await openWalkScene();
  const { make, scene } = walk;
  const slug = `o-${randomUUID().slice(0, 8)}`;
  const { organization } = await make("createOrganization", { slug, name: "Other" }, "organization { id }");
  organizationIds = [walk.organizationId, organization.id];
  const admin: string = (await scene.api.ask("{ viewer { actor { id } } }")).viewer.actor.id;
  for (let index = 0; index < PROJECTS; index += 1) {
    const organizationId = random.pick(organizationIds) ?? walk.organizationId;
    const above = projects.filter((one) => one.organizationId === organizationId && lineOf(one).length < 5);
    const parent = random.chance(0.7) ? (random.pick(above) ?? null) : null;
    const isolated = random.chance(0.3);
    const input = { organizationId, parentId: parent?.id ?? null, name: `p-${randomUUID()}`, isolated };
    const { project } = await make("createProject", input, "project { id }");
    // The administrator is cut off as well.
    if (isolated) await walk.grant(admin, "ADMIN", project.id);
    projects.push({ id: project.id, organizationId, parent, isolated });
  }
  for (const project of projects) {
    const organization = project.organizationId === walk.organizationId ? "default" : slug;
    const name = `w-${randomUUID()}`;
    const workspaceId = await scene.createWorkspace({ name, organization, projectId: project.id });
    spots.push({ project, workspaceId, runId: await scene.createRun(workspaceId, { kind: "PLAN" }) });
  }
}, 60_000);
afterAll(async () => {
  expect(walk.scene.server.reported).toEqual([]);
  await walk[Symbol.asyncDispose]();
});

/** A project with those above it, from the top. */
function lineOf(project: Project): Project[] {
  return project.parent === null ? [project] : [...lineOf(project.parent), project];
}

function has(held: readonly Held[], permission: Permission, project: Project, workspaceId: string | null): boolean {
  const line = lineOf(project);
  const cut = line.findLastIndex(({ isolated }) => isolated);
  const reaching = line.slice(Math.max(cut, 0)).map(({ id }) => id);
  const scopes = [...(cut === -1 ? [project.organizationId] : []), ...reaching, workspaceId];
  return held.some(({ role, scopeId }) => scopes.includes(scopeId) && includes(permissionsOf(role), permission));
}

const idsOf = ({ edges }: Data): string[] => edges.map(({ node }: Data) => node.id).toSorted();

async function shownTo(api: Api): Promise<Record<string, string[]>> {
  const { runs, organizations } = await api.ask(`{ runs(first: 100) { edges { node { id } } }
    organizations(first: 10) { edges { node { id projects { id } workspaces(first: 100) { edges { node { id } } } } } } }`);
  const below = organizations.edges.map(({ node }: Data) => node);
  const known = new Set(projects.map(({ id }) => id));
  return {
    runs: idsOf(runs),
    organizations: idsOf(organizations),
    workspaces: below.flatMap(({ workspaces }: Data) => idsOf(workspaces)).toSorted(),
    projects: below
      .flatMap((one: Data) => one.projects.map(({ id }: Data) => id))
      .filter((id: string) => known.has(id))
      .toSorted(),
  };
}

it("are lists of runs, workspaces, projects and organizations, and the objects by their ids", async () => {
  const scopes = [...organizationIds, ...projects.map(({ id }) => id), ...spots.map(({ workspaceId }) => workspaceId)];
  let seen = 0;
  for (let caller = 0; caller < CALLERS; caller += 1) {
    const chosen = new Set(Array.from({ length: random.below(4) }, () => random.pick(scopes) ?? walk.organizationId));
    const held = [...chosen].map((scopeId): Held => ({ role: random.pick(ROLES) ?? "READER", scopeId }));
    const person = await walk.scene.login("READER");
    await walk.scene.rows(
      "update access_grant set revoked_at = now(), revoked_by = $1 where principal_id = $1",
      person.actorId,
    );
    await walk.scene.rows("update token set role = null where id = $1", person.tokenId);
    for (const { role, scopeId } of held) await walk.grant(person.actorId, role, scopeId);
    const runs = spots.filter((one) => has(held, "RUN_READ", one.project, one.workspaceId));
    const workspaces = spots.filter((one) => has(held, "WORKSPACE_READ", one.project, one.workspaceId));
    const shown = projects.filter((one) => has(held, "PROJECT_READ", one, null));
    const organizations = organizationIds.filter((id) =>
      held.some(({ scopeId }) => {
        const project =
          projects.find((one) => one.id === scopeId) ?? spots.find((one) => one.workspaceId === scopeId)?.project;
        return scopeId === id || project?.organizationId === id;
      }),
    );
    const wanted = {
      runs: runs.map(({ runId }) => runId).toSorted(),
      organizations: organizations.toSorted(),
      workspaces: workspaces.map(({ workspaceId }) => workspaceId).toSorted(),
      projects: shown.map(({ id }) => id).toSorted(),
    };
    expect(await shownTo(person), JSON.stringify(held)).toEqual(wanted);
    const listed = new Set(Object.values(wanted).flat());
    const ids = [...scopes, ...spots.map(({ runId }) => runId)];
    const { nodes } = await person.ask("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", { ids });
    expect(nodes.map((node: Data) => node?.id ?? null)).toEqual(ids.map((id) => (listed.has(id) ? id : null)));
    seen += listed.size;
  }
  expect(seen).toBeGreaterThan(CALLERS);
}, 60_000);

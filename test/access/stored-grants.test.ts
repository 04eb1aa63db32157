/** All lists that are filtered in SQL, and objects, over random trees of projects and grants that are stored: those of a naive evaluation, grant by grant. */
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
  scheduleId: string;
}

/** A changeset with its workspaces, which may lie in different projects. */
interface Members {
  id: string;
  of: readonly Spot[];
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
const changesets: Members[] = [];
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
    const { organizationId } = project;
    const times = { name: "nightly", cron: "30 2 * * *", action: "DETECT_DRIFT" };
    const { schedule } = await make("createSchedule", { organizationId, workspaceId, ...times }, "schedule { id }");
    // Refused, and recorded.
    await walk.send(scene.api, "updateWorkspace", { workspaceId, name: "" });
    const runId = await scene.createRun(workspaceId, { kind: "PLAN", metadata: [{ key: "a", value: "b" }] });
    spots.push({ project, workspaceId, runId, scheduleId: schedule.id });
  }
  for (const organizationId of organizationIds) {
    const own = spots.filter(({ project }) => project.organizationId === organizationId);
    for (let index = 0; index < 4; index += 1) {
      const of = [...new Set([random.pick(own), random.pick(own)])].filter((one) => one !== undefined);
      if (of.length === 0) continue;
      const input = { organizationId, title: "one", kind: "PLAN", workspaceIds: of.map((one) => one.workspaceId) };
      changesets.push({ id: (await make("createChangeset", input, "changeset { id }")).changeset.id, of });
    }
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
  const ids = "edges { node { id } }";
  const { runs, organizations, ...others } = await api.ask(`{ runs(first: 100) { totalCount ${ids} }
    found: runs(first: 100, filter: { metadata: [{ key: "a", value: "b" }], kinds: [PLAN] }) { totalCount }
    grants(first: 100) { ${ids} }
    organizations(first: 10) { edges { node { id projects { id } workspaces(first: 100) { ${ids} }
      schedules(first: 100) { ${ids} } changesets(first: 100) { ${ids} }
      rejectedCommands(first: 100) { edges { node { subjectId } } } } } } }`);
  const below = organizations.edges.map(({ node }: Data) => node);
  const known = new Set(projects.map(({ id }) => id));
  const idsBelow = (list: string): string[] => below.flatMap((one: Data) => idsOf(one[list])).toSorted();
  expect(runs.totalCount).toBe(runs.edges.length);
  expect(others["found"].totalCount).toBe(runs.edges.length);
  return {
    grants: idsOf(others["grants"]),
    schedules: idsBelow("schedules"),
    changesets: idsBelow("changesets"),
    refused: below
      .flatMap((one: Data) => one.rejectedCommands.edges.map(({ node }: Data) => node.subjectId))
      .toSorted(),
    runs: idsOf(runs),
    organizations: idsOf(organizations),
    workspaces: idsBelow("workspaces"),
    projects: below
      .flatMap((one: Data) => one.projects.map(({ id }: Data) => id))
      .filter((id: string) => known.has(id))
      .toSorted(),
  };
}

/** The grants in organizations with where they begin, from the rows. */
async function grantsStored(): Promise<{ id: string; scopeId: string }[]> {
  const text = "select id, scope_id from access_grant where revoked_at is null and scope_id is not null";
  return (await walk.scene.rows(text)).map((row) => ({ id: row["id"], scopeId: row["scope_id"] }));
}

/** Whether a permission holds where a grant begins. */
function hasAtScope(held: readonly Held[], permission: Permission, scopeId: string): boolean {
  const spot = spots.find(({ workspaceId }) => workspaceId === scopeId);
  const project = spot?.project ?? projects.find(({ id }) => id === scopeId);
  if (project !== undefined) return has(held, permission, project, spot?.workspaceId ?? null);
  return held.some((one) => one.scopeId === scopeId && includes(permissionsOf(one.role), permission));
}

it("are lists of all kinds, and the objects by their ids", async () => {
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
    const grants = (await grantsStored()).filter(({ scopeId }) => hasAtScope(held, "MEMBER_READ", scopeId));
    const wanted = {
      grants: grants.map(({ id }) => id).toSorted(),
      schedules: runs.map(({ scheduleId }) => scheduleId).toSorted(),
      changesets: changesets
        .filter(({ of }) => of.some((one) => runs.includes(one)))
        .map(({ id }) => id)
        .toSorted(),
      refused: workspaces.map(({ workspaceId }) => workspaceId).toSorted(),
      runs: runs.map(({ runId }) => runId).toSorted(),
      organizations: organizations.toSorted(),
      workspaces: workspaces.map(({ workspaceId }) => workspaceId).toSorted(),
      projects: shown.map(({ id }) => id).toSorted(),
    };
    expect(await shownTo(person), JSON.stringify(held)).toEqual(wanted);
    const listed = new Set(Object.values(wanted).flat());
    const known = await grantsStored();
    const ids = [
      ...scopes,
      ...changesets,
      ...known,
      ...spots.flatMap(({ runId, scheduleId }) => [runId, scheduleId]),
    ].map((one) => (typeof one === "string" ? one : one.id));
    for (let from = 0; from < ids.length; from += 100) {
      const some = ids.slice(from, from + 100);
      const { nodes } = await person.ask("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", { ids: some });
      expect(nodes.map((node: Data) => node?.id ?? null)).toEqual(some.map((id) => (listed.has(id) ? id : null)));
    }
    seen += listed.size;
  }
  expect(seen).toBeGreaterThan(CALLERS);
}, 60_000);

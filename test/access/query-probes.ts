/** Each query of the domain is asked itself, as if nothing above it had checked the caller. */
import { isDeepStrictEqual } from "node:util";
import { planFiring } from "../../src/domain/schedule/plan-firing.ts";
import type { Domain } from "../../src/domain/domain.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { ActorCaller } from "../../src/model/people/permission.ts";
import { type Permission, PERMISSIONS, permissionSet } from "../../src/model/people/permission-set.ts";
import { defaultProjectId } from "../../src/model/people/project-tree.ts";
import { builtInRoleId } from "../../src/model/people/role.ts";
import { rightsOf } from "../../src/model/people/rights.ts";
import type { Schedule } from "../../src/model/schedule/schedule.ts";
import { findSchedules } from "../../src/persistence/schedule/schedule-store.ts";
import {
  ABOVE,
  IN_WORKSPACE,
  OF_ANOTHER,
  OF_ORGANIZATION,
  OF_PEOPLE,
  type Read,
} from "../domain/access/query-lines.ts";
import { absentSample, admin, createSample, createShared, type Sample } from "../domain/access/sample.ts";
import type { Scene } from "../domain/scene.ts";
import type { Data } from "../support/api.ts";
import { previewProbe } from "./preview-probe.ts";
import type { Probe } from "./walk-scene.ts";

/** A caller that is not the administrator, with these permissions on one workspace and no others. */
function callerAt(sample: Sample, permissions: readonly Permission[] = PERMISSIONS): ActorCaller {
  const actor = { id: sample.shared.accountId, kind: "MACHINE", name: "ci" } as const;
  return { ...callerWithin([sample, permissions]), actor };
}

/** A caller with permissions on some workspaces and no others. */
function callerWithin(...places: [sample: Sample, permissions: readonly Permission[]][]): ActorCaller {
  const organizationId = DEFAULT_ORGANIZATION_ID;
  const grants = places.map(([{ workspaceId }, permissions]) => {
    const projectId = defaultProjectId(organizationId);
    return {
      permissions: permissionSet(permissions),
      scope: { type: "workspace", organizationId, projectId, workspaceId },
    } as const;
  });
  return { ...admin, rights: rightsOf(grants) };
}

const without = (...permissions: Permission[]): Permission[] => PERMISSIONS.filter((one) => !permissions.includes(one));

/** Returns how two answers differ; `null` if they do not. */
function differenceOf(answer: unknown, wanted: unknown): string | null {
  return isDeepStrictEqual(answer, wanted) ? null : `${JSON.stringify(answer)} instead of ${JSON.stringify(wanted)}`;
}

export async function queryProbes(scene: Scene): Promise<Probe[]> {
  const { domain } = scene.server;
  await scene.quick("createOrganization", { slug: "z-other", name: "Other" });
  const shared = await createShared(scene);
  const seen = await createSample(scene, shared);
  const hidden = await createSample(scene, shared);
  return [
    ...(await hiddenProbes(domain, seen, hidden)),
    ...(await strangerProbes(domain, seen)),
    ...pageProbes(domain, seen),
    ...(await actionProbes(scene, seen)),
    ...explanationProbes(domain, seen, hidden),
    await isolationProbe(scene, seen),
    {
      name: "the results of another actor about runs that the caller may read",
      async run() {
        const caller = otherThan(callerAt(seen, without("BULK_OTHERS")));
        return differenceOf((await domain.listBulkResults(caller, seen.bulk, { ...ANY, ...FIRST })).items, []);
      },
    },
    ...(await firingProbes(scene, seen, hidden)),
    await previewProbe(scene),
  ];
}

/** What is in another workspace is answered like what does not exist. */
async function hiddenProbes(domain: Domain, seen: Sample, hidden: Sample): Promise<Probe[]> {
  const absent = absentSample(seen);
  const probes: Probe[] = [];
  for (const [name, read] of Object.entries<Read>(IN_WORKSPACE)) {
    const missing = await read(domain, callerAt(seen), absent);
    const run = async () => differenceOf(await read(domain, callerAt(seen), hidden), missing);
    probes.push({ name: `${name} of a hidden workspace`, run });
  }
  return probes;
}

/** A caller without any right is shown what it was shown before: of all that there is, what takes no permission. */
async function strangerProbes(domain: Domain, seen: Sample): Promise<Probe[]> {
  const stranger = callerAt(seen, []);
  const probes: Probe[] = [];
  for (const [name, read] of Object.entries<Read>({ ...OF_ORGANIZATION, ...OF_PEOPLE, ...OF_ANOTHER, ...ABOVE })) {
    const ask = () => read(domain, name === "people" ? otherThan(stranger) : stranger, seen);
    const shown = await ask();
    probes.push({ name: `${name} for a stranger`, run: async () => differenceOf(await ask(), shown) });
  }
  return probes;
}

/** The caller as an actor that does not exist. */
const otherThan = (caller: ActorCaller): ActorCaller => ({ ...caller, actor: { ...caller.actor, id: "mch_other" } });

/**
 * Pages of one item, from both ends. What a list checks after its statement is as little as what its statement takes:
 * an item that only the check afterwards removes leaves a gap.
 */
function pageProbes(domain: Domain, seen: Sample): Probe[] {
  const { workspaceId } = seen;
  const organizationId = DEFAULT_ORGANIZATION_ID;
  const caller = callerAt(seen);
  const onlyWorkspaces = callerAt(seen, ["WORKSPACE_READ"]);
  const lists: Record<string, (page: Page) => Promise<{ items: Data[] }>> = {
    listOrganizations: (page) => domain.listOrganizations(caller, page),
    listWorkspaces: (page) => domain.listWorkspaces(caller, organizationId, {}, page),
    listRuns: (page) => domain.listRuns(caller, { organizationId }, page, { detail: "SUMMARY" }),
    listGrants: (page) => domain.listGrants(caller, organizationId, page),
    listSchedules: (page) => domain.listSchedules(caller, organizationId, page),
    listChangesets: (page) => domain.listChangesets(caller, organizationId, null, page),
    listTriggerDecisions: (page) => domain.listTriggerDecisions(caller, seen.shared.refChangeId, page),
    listRejectedCommands: (page) => domain.listRejectedCommands(onlyWorkspaces, { workspaceId }, { ...page, ...ANY }),
  };
  return Object.entries(lists).flatMap(([name, list]) =>
    (["forward", "backward"] as const).map((direction) => ({
      name: `${name}, one at a time, ${direction}`,
      async run() {
        const { items } = await list({ limit: 1, direction, after: null, before: null });
        return items.length === 1 ? null : `a page of ${items.length}`;
      },
    })),
  );
}

interface Page {
  limit: number;
  direction: "forward" | "backward";
  after: null;
  before: null;
}
const ANY = { after: null, before: null } as const;
const FIRST = { limit: 10, direction: "forward" } as const;

/** The actions that a run or a workspace offers name the permission that the caller lacks. */
async function actionProbes(scene: Scene, seen: Sample): Promise<Probe[]> {
  const { domain } = scene.server;
  const { workspaceId, runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
  const unlockId = await scene.createRun(workspaceId, { kind: "UNLOCK" });
  const [run, unlock] = await domain.runs(admin, [runId, unlockId]);
  if (!run || !unlock) throw new Error("The runs are not there.");
  const at = { ...seen, workspaceId };
  const refusal = (name: string, actions: Promise<Data[][]>, action: string, permission: Permission) => async () => {
    const [offered = []] = await actions;
    const found = offered.find((one) => one.action === action);
    const isRefused = found?.code === "FORBIDDEN" && String(found.reason).includes(permission);
    return isRefused ? null : `${name}: ${JSON.stringify(found)}`;
  };
  const ofRun = (asked: typeof run, action: string, permission: Permission, ...more: Permission[]): Probe => {
    const name = `${action} without ${permission}`;
    const caller = callerAt(at, without(permission, ...more));
    return { name, run: () => refusal(name, domain.actions(caller, [asked]), action, permission)() };
  };
  const caller = callerAt(seen, without("WORKSPACE_LOCK"));
  return [
    ofRun(run, "APPROVE_PLAN", "PLAN_APPROVE"),
    ofRun(run, "WITHDRAW_APPROVAL", "PLAN_APPROVE", "APPLY_APPROVE"),
    ofRun(run, "CANCEL", "RUN_CANCEL"),
    ofRun(unlock, "RETRY", "WORKSPACE_FORCE_UNLOCK"),
    {
      name: "LOCK without WORKSPACE_LOCK",
      run: () => refusal("LOCK", domain.workspaceActions(caller, [seen.workspaceId]), "LOCK", "WORKSPACE_LOCK")(),
    },
  ];
}

/** Explanations of rights: of places and actors that are hidden there is none. */
function explanationProbes(domain: Domain, seen: Sample, hidden: Sample): Probe[] {
  const { accountId } = seen.shared;
  const ask = (caller: ActorCaller, permission: Permission, scopeId: string, actorId: string) =>
    domain.explainAccess(caller, { permission, scopeId, actorId });
  const reader = callerAt(seen, ["WORKSPACE_READ"]);
  const readerOfPeople = callerAt(seen, ["WORKSPACE_READ", "MEMBER_READ"]);
  return [
    {
      name: "explain at a hidden workspace",
      run: async () => differenceOf(await ask(callerAt(seen), "RUN_READ", hidden.workspaceId, accountId), null),
    },
    {
      name: "explain another actor without the sight of people",
      run: async () => differenceOf(await ask(otherThan(reader), "RUN_READ", seen.workspaceId, accountId), null),
    },
    {
      // Its grant on the hidden workspace may be read, but not people here.
      name: "explain another actor where people are hidden by those who see it elsewhere",
      async run() {
        const { rights } = callerWithin([seen, ["WORKSPACE_READ"]], [hidden, ["WORKSPACE_READ", "MEMBER_READ"]]);
        const found = await ask({ ...otherThan(reader), rights }, "RUN_READ", seen.workspaceId, accountId);
        return differenceOf(found, null);
      },
    },
    {
      name: "explain an actor of which no grant may be read",
      run: async () => differenceOf(await ask(readerOfPeople, "RUN_READ", seen.workspaceId, hidden.runsActorId), null),
    },
    {
      name: "explain a permission that the caller lacks itself",
      run: async () => differenceOf((await ask(reader, "RUN_READ", seen.workspaceId, accountId))?.allowed, false),
    },
    {
      // It has one by a team as well, on the organization.
      name: "explain the rights of another actor by grants that are hidden",
      async run() {
        const found = await ask(otherThan(readerOfPeople), "RUN_READ", seen.workspaceId, accountId);
        return differenceOf(
          found?.grants.map(({ scopeId }) => scopeId),
          [seen.workspaceId],
        );
      },
    },
  ];
}

/** The grant on the organization does not reach into the project, of which the caller is told no more than that. */
async function isolationProbe(scene: Scene, seen: Sample): Promise<Probe> {
  const { domain } = scene.server;
  const organizationId = DEFAULT_ORGANIZATION_ID;
  const project = { organizationId, parentId: null, name: "isolated", isolated: true };
  const { id: projectId } = await domain.createProject(admin, project);
  await domain.createGrant(admin, {
    principalId: admin.actor.id,
    roleId: builtInRoleId("ADMIN"),
    scopeId: projectId,
    expiresAt: null,
    reason: null,
  });
  const workspaceId = await scene.createWorkspace({ projectId });
  const scope = { type: "workspace", organizationId, projectId, workspaceId } as const;
  const rights = rightsOf([{ permissions: permissionSet(["WORKSPACE_READ"]), scope }]);
  const { accountId: actorId } = seen.shared;
  return {
    name: "explain the rights in a workspace of an isolated project that is hidden",
    async run() {
      const asked = { permission: "RUN_READ", scopeId: workspaceId, actorId } as const;
      const found = await domain.explainAccess({ ...callerAt(seen), rights }, asked);
      return differenceOf(found?.limitedBy, ["A project is isolated: grants from above do not reach into it."]);
    },
  };
}

/** A due time makes runs where the owner of its schedule may, and in no other workspace. */
async function firingProbes(scene: Scene, seen: Sample, hidden: Sample): Promise<Probe[]> {
  const { database } = scene.server.deps;
  const label = "nightly";
  await scene.createWorkspace({ labels: [label] });
  const [schedule = null] = await findSchedules(database, [hidden.scheduleId]);
  if (schedule === null) throw new Error("The schedule is not there.");
  const plan = async (of: Schedule): Promise<string | null> => {
    const { members } = await planFiring(database, of, callerAt(seen), "2030-01-01T02:30:00.000Z");
    return differenceOf(members, []);
  };
  return [
    { name: "a due time in a hidden workspace", run: () => plan(schedule) },
    { name: "a due time of a label of a hidden workspace", run: () => plan({ ...schedule, workspaceId: null, label }) },
  ];
}

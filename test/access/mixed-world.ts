/** What spans visible and hidden places: refused commands, a changeset, bulk operations, approvers and cut grants. */
import { bulkRound } from "../../src/domain/bulk/bulk-round.ts";
import { changesetRound } from "../../src/domain/changeset/changeset-round.ts";
import type { Api, Data } from "../support/api.ts";
import { fakePlan } from "../support/fake-runner.ts";
import { TYPES } from "./field-oracle.ts";
import { NODES } from "./field-probes.ts";
import { has, type Principal } from "./principals.ts";
import type { WalkScene } from "./walk-scene.ts";
import type { World, WorldPlace } from "./world.ts";

const never = new AbortController().signal;

export interface MixedWorld {
  /** A changeset over a visible and an isolated workspace, by its id. */
  changesetId: string;
  /** Operations over runs of all places: of the administrator, and of a caller that has lost some of its rights. */
  operationIds: string[];
  /** The caller that has lost some of its rights. */
  loser: { api: Api; actorId: string };
  /** A run of each workspace that waits at a gate. */
  gateRuns: string[];
  /** An actor with a grant that reads the isolated project, and one on the organization that does not reach it. */
  cutActorId: string;
  /** A caller with rights on the organization, and the isolated workspace alone. */
  cutCaller: { api: Api; actorId: string };
}

export async function createMixedWorld(walk: WalkScene, world: World): Promise<MixedWorld> {
  const { scene, organizationId, make } = walk;
  const [shown, isolated, other] = world.workspaces;
  if (shown === undefined || isolated === undefined || other === undefined) throw new Error("The world is not whole.");
  await refuseCommands(walk, world);
  for (const scopeId of [organizationId, isolated.projectId, other.organizationId]) {
    await approverAt(walk, scopeId);
  }
  for (const { id } of world.workspaces) {
    const runId = await scene.createRun(id, { kind: "PLAN", message: "walk" });
    await scene.send("cancelRun", { runId });
  }
  const input = { organizationId, title: "walk", workspaceIds: [shown.id, isolated.id], kind: "PLAN" };
  const changesetId: string = (await make("createChangeset", input, "changeset { id }")).changeset.id;
  await changesetRound(scene.server.deps, never);
  for (const run of await scene.rows("select id, workspace_id from run where changeset_id = $1", changesetId)) {
    const job = await scene.claim(run.id);
    const { counts } = fakePlan();
    await job.plan(fakePlan({ counts: { ...counts, additions: run.workspace_id === shown.id ? 3 : 40 } }));
  }
  const loserId = await walk.createAccount();
  await walk.grant(loserId, "MAINTAINER", shown.projectId);
  const lost = await walk.grant(loserId, "MAINTAINER", isolated.projectId);
  const loser = { api: await walk.tokenOf(loserId), actorId: loserId };
  const started = [];
  for (const api of [scene.api, loser.api]) {
    const filter = { kinds: ["PLAN"], statuses: ["CANCELED"] };
    started.push(await walk.send(api, "bulkRunAction", { action: "RETRY", filter }, "operation { id }"));
  }
  await bulkRound(scene.server.deps, never);
  await walk.send(scene.api, "revokeGrant", { grantId: lost });
  const cutActorId = await walk.createAccount();
  await walk.grant(cutActorId, "READER", isolated.projectId);
  await walk.grant(cutActorId, "APPROVER", organizationId);
  const cutId = await walk.createAccount();
  await walk.grant(cutId, "WRITER", organizationId);
  await walk.grant(cutId, "READER", isolated.id);
  return {
    changesetId,
    operationIds: started.map((one: Data) => one.operation.id),
    loser,
    gateRuns: await waitingRuns(walk, world),
    cutActorId,
    cutCaller: { api: await walk.tokenOf(cutId), actorId: cutId },
  };
}

/** A person that may approve there. */
async function approverAt(walk: WalkScene, scopeId: string): Promise<void> {
  const { actorId } = await walk.scene.person("READER");
  await walk.scene.rows("update access_grant set revoked_at = now(), revoked_by = $1 where principal_id = $1", actorId);
  await walk.grant(actorId, "APPROVER", scopeId);
}

/** Commands about objects of all kinds that are seen by different permissions; each is refused, and recorded. */
async function refuseCommands(walk: WalkScene, world: World): Promise<void> {
  const { api } = walk.scene;
  for (const [id] of world.places) {
    if (id.startsWith("hook_")) await walk.send(api, "updateWebhook", { webhookId: id, url: "ftp://example.com" });
    if (id.startsWith("pool_")) await walk.send(api, "updateRunnerPool", { poolId: id, name: "" });
    if (id.startsWith("ws_")) await walk.send(api, "updateWorkspace", { workspaceId: id, name: "" });
    if (id.startsWith("team_")) await walk.send(api, "updateTeam", { teamId: id, name: "" });
  }
  for (const { id } of world.organizations)
    await walk.send(api, "updateOrganization", { organizationId: id, name: "" });
}

async function waitingRuns({ scene }: WalkScene, world: World): Promise<string[]> {
  const rows = await scene.rows(
    "select min(id) as id from run where status = 'AWAITING_APPLY_APPROVAL' and workspace_id = any($1) group by workspace_id",
    world.workspaces.map(({ id }) => id),
  );
  return rows.map(({ id }) => id);
}

export const placeOf = (world: World, id: string): WorldPlace => {
  const place = world.places.get(id);
  if (place === undefined) throw new Error(`${id} has no place.`);
  return place;
};

/** Ids and names of hidden objects that a text has. The texts of a workspace contain its name. */
export function leaksIn(text: string, principal: Principal, world: World): string[] {
  const ids = [...world.places].flatMap(([id, place]) => {
    const sight = TYPES[NODES[id.slice(0, id.lastIndexOf("_"))] ?? ""]?.sight;
    return sight === undefined || sight === "SHOWN" || has(principal, sight, place) ? [] : [id];
  });
  const names = world.workspaces.filter(
    ({ id }) => !(["WORKSPACE_READ", "RUN_READ"] as const).some((sight) => has(principal, sight, placeOf(world, id))),
  );
  return [...ids, ...names.map(({ name }) => name)].filter((one) => text.includes(one));
}

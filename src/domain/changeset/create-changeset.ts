import { createHash } from "node:crypto";
import type { ChangesetKind, SeenChangeset } from "../../model/changeset/changeset.ts";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, notFound } from "../../model/kit/user-error.ts";
import { workspacePlace } from "../../model/people/place.ts";
import { type ActorCaller, can, scopeOf } from "../../model/people/permission.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { type ChangesetRequest, findChangesetByKey } from "../../persistence/changeset/changeset-store.ts";
import { findChangesets } from "../../persistence/changeset/seen-changeset-store.ts";
import { type Reader, type Transaction, violates } from "../../persistence/database/database.ts";
import { listDependentIds } from "../../persistence/dependency/dependency-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { authorize, type Demand, recorded, requireSomewhere } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { InputCheck } from "../kit/input.ts";
import { checkIdempotencyKey } from "../run/run-input.ts";
import { triggerOf } from "../run/create-run.ts";
import { selectWorkspaces } from "../workspace/select-workspaces.ts";
import { openChangeset } from "./open-changeset.ts";

export interface CreateChangesetInput {
  organizationId: string;
  title: string;
  kind: ChangesetKind;
  /** `null`: those that `labels` select. */
  workspaceIds: readonly string[] | null;
  /** `null`: those that `workspaceIds` name. */
  labels: readonly string[] | null;
  /** Whether the workspaces that depend on them are added, directly or through others. */
  withDependents: boolean;
  /** For kind TASK. */
  command: string | null;
  idempotencyKey: string | null;
}

export interface CreatedChangeset {
  changeset: SeenChangeset;
  created: boolean;
}

/**
 * Opens a changeset over workspaces of one organization. Its runs are created afterwards, each under the caller's rights at
 * that time. A repeated key returns the first changeset.
 */
export function createChangeset(
  deps: Deps,
  caller: ActorCaller,
  input: CreateChangesetInput,
): Promise<CreatedChangeset> {
  return recorded(deps, caller, { name: "createChangeset", subjectId: input.organizationId }, async () => {
    const demands: Demand[] = [
      { permission: "RUN_READ", words: "reading runs" },
      { permission: permissionToRun(input.kind), words: "creating runs" },
    ];
    for (const demand of demands) requireSomewhere(caller, demand);
    checkInput(input);
    const { organizationId, title, kind, workspaceIds, labels, withDependents, command } = input;
    const content = JSON.stringify([organizationId, title, kind, workspaceIds, labels, withDependents, command]);
    const digest = createHash("sha256").update(content).digest("hex");
    const request = { key: input.idempotencyKey, digest };
    const create = () => deps.database.transaction((tx) => createOnce(tx, deps, caller, { input, demands, request }));
    // The second of two concurrent requests with one key finds the changeset of the first.
    const { id, created } = await create().catch((error: unknown) => {
      if (violates(error, "changeset_key")) return create();
      throw error;
    });
    const [changeset = null] = await findChangesets(deps.database, scopeOf(caller, "RUN_READ"), [id]);
    if (changeset === null) throw notFound("changeset");
    return { changeset, created };
  });
}

function checkInput({ title, kind, workspaceIds, labels, command, idempotencyKey }: CreateChangesetInput): void {
  const check = new InputCheck();
  check.label("title", title);
  const { workspacesSelected: most } = LIMITS;
  const isOne = (workspaceIds === null) !== (labels === null);
  check.require(isOne, "workspaceIds", "is required unless `labels` are given: give one of them.");
  const fits = workspaceIds === null || (workspaceIds.length > 0 && workspaceIds.length <= most);
  check.require(fits, "workspaceIds", `must name from 1 to ${most} workspaces.`);
  const isUnique = workspaceIds === null || new Set(workspaceIds).size === workspaceIds.length;
  check.require(isUnique, "workspaceIds", "must not name a workspace twice.");
  if (kind === "TASK") check.require((command ?? "").trim() !== "", "command", "is required for the kind TASK.");
  else check.require(command === null, "command", "is allowed with the kind TASK only.");
  check.text("command", command);
  checkIdempotencyKey(check, idempotencyKey);
  check.done();
}

interface NewRequest {
  input: CreateChangesetInput;
  demands: readonly Demand[];
  request: ChangesetRequest;
}

async function createOnce(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  { input, demands, request }: NewRequest,
): Promise<{ id: string; created: boolean }> {
  if (request.key !== null) {
    const since = new Date(deps.clock().getTime() - LIMITS.idempotencyKeyMs).toISOString();
    const earlier = await findChangesetByKey(tx, { actorId: caller.actor.id, key: request.key }, since);
    if (earlier !== null && earlier.digest === request.digest) return { id: earlier.id, created: false };
    if (earlier !== null) throw invalidField("idempotencyKey", "was used for another request: choose another one.");
  }
  const { organizationId, title, kind, command } = input;
  const named = await getWorkspaces(tx, caller, input);
  const workspaces = input.withDependents ? [...named, ...(await readDependents(tx, caller, named))] : named;
  for (const demand of demands) {
    for (const workspace of workspaces) authorize(caller, demand, workspacePlace(workspace));
  }
  const { id } = await openChangeset(tx, deps, {
    organizationId,
    source: "MANUAL",
    title,
    commit: null,
    kind,
    command,
    trigger: triggerOf(caller),
    members: workspaces.map(({ id: workspaceId }) => ({ workspaceId })),
    createdBy: { actorId: caller.actor.id, credentialId: caller.credentialId },
    request,
  });
  return { id, created: true };
}

/** Throws NOT_FOUND unless the caller sees all that it names, and they are of the organization. */
async function getWorkspaces(
  reader: Reader,
  caller: ActorCaller,
  { organizationId, kind, workspaceIds, labels }: CreateChangesetInput,
): Promise<Workspace[]> {
  const ids =
    workspaceIds ??
    (await selectWorkspaces(reader, caller, permissionToRun(kind), { organizationId, labels: labels ?? [] }));
  if (ids.length === 0) throw invalidField("labels", "must match at least one workspace that you may run.");
  const known = ids.every((id) => idKind(id) === "workspace");
  const found = known ? await findWorkspaces(reader, ids) : [null];
  return found.map((workspace) => {
    const isSeen = workspace !== null && can(caller, "WORKSPACE_READ", workspacePlace(workspace));
    if (!isSeen || workspace.organizationId !== organizationId) throw notFound("workspace");
    return workspace;
  });
}

/** The workspaces that depend on these and that the caller may read. */
async function readDependents(reader: Reader, caller: ActorCaller, named: readonly Workspace[]): Promise<Workspace[]> {
  const ids = await listDependentIds(
    reader,
    named.map(({ id }) => id),
  );
  const most = LIMITS.workspacesSelected - named.length;
  if (ids.length > most) throw invalidField("withDependents", `adds more than ${most} workspaces.`);
  const found = ids.length === 0 ? [] : await findWorkspaces(reader, ids);
  return found.flatMap((workspace) => {
    if (workspace === null || !can(caller, "WORKSPACE_READ", workspacePlace(workspace))) return [];
    return [workspace];
  });
}

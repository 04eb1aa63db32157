import { can, type TokenCaller } from "../../model/permission.ts";
import { invalidField, notFound, UserError } from "../../model/user-error.ts";
import type { Workspace, WorkspaceSource } from "../../model/workspace.ts";
import { type Transaction, violates } from "../../persistence/database.ts";
import { listVariables } from "../../persistence/variable-store.ts";
import {
  lockKeptWorkspace,
  updateWorkspaceSettings,
  type WorkspaceSettings,
} from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import type { UpdateWorkspaceInput } from "../domain.ts";
import { authorize, recorded } from "../guard.ts";
import { InputCheck } from "../input.ts";
import { asOf } from "../run/locked-run.ts";
import { settleWorkspace } from "../run/settle-workspace.ts";
import { GIT_PASSWORD, movesPassword } from "../source/git-credentials.ts";
import { resolveSource } from "../source/resolve-source.ts";
import { lookUpWorkspace } from "./look-up-workspace.ts";
import { workspaceChanged } from "./workspace-changed.ts";
import { checkWorkspaceName } from "./workspace-input.ts";

/** Changes what is given. Runs that exist keep their source; changed gates count for those that did not pass them. */
export function updateWorkspace(deps: Deps, caller: TokenCaller, input: UpdateWorkspaceInput): Promise<Workspace> {
  const { database } = deps;
  return recorded(deps, caller, "updateWorkspace", input.workspaceId, async () => {
    const found = await lookUpWorkspace(database, input.workspaceId);
    if (found === null || !can(caller, "workspace:read")) throw notFound("workspace");
    authorize(caller, "workspace:update", "changing workspaces");
    const gates = input.planApproval !== undefined || input.autoApply !== undefined;
    if (gates) authorize(caller, "workspace:setGates", "changing who is asked before an apply");
    checkInput(input);
    // Outside of the transaction: the disk may be slow.
    const source = input.source === undefined || input.source === null ? null : await resolveSource(deps, input.source);
    try {
      return await database.transaction((tx) => change(tx, deps, caller, input, source));
    } catch (error) {
      if (!violates(error, "workspace_name")) throw error;
      throw new UserError("NAME_TAKEN", `The organization has a workspace "${input.name}" already.`);
    }
  });
}

const NOT_CLEARED = ["name", "source", "planApproval", "autoApply", "paused"] as const;

function checkInput(input: UpdateWorkspaceInput): void {
  const check = new InputCheck();
  for (const field of NOT_CLEARED) check.require(input[field] !== null, field, "cannot be cleared.");
  if (typeof input.name === "string") checkWorkspaceName(check, input.name);
  check.text("description", input.description ?? null);
  check.done();
}

/** The settings afterwards: what is absent stays. */
function settingsAfter(
  before: Workspace,
  input: UpdateWorkspaceInput,
  source: WorkspaceSource | null,
): WorkspaceSettings {
  return {
    name: input.name ?? before.name,
    description: input.description === undefined ? before.description : input.description,
    source: source ?? before.source,
    planApproval: input.planApproval ?? before.planApproval,
    autoApply: input.autoApply ?? before.autoApply,
    paused: input.paused ?? before.paused,
    lockScope: before.lockScope,
    interruptApply: before.interruptApply,
    tasksAllowed: before.tasksAllowed,
    policy: before.policy,
  };
}

const SETTINGS = ["name", "description", "source", "planApproval", "autoApply", "paused"] as const;

async function change(
  tx: Transaction,
  deps: Deps,
  caller: TokenCaller,
  input: UpdateWorkspaceInput,
  source: WorkspaceSource | null,
): Promise<Workspace> {
  const row = await lockKeptWorkspace(tx, input.workspaceId);
  if (row === null) throw notFound("workspace");
  const before = asOf(row, deps.clock());
  const settings = settingsAfter(before, input, source);
  const fields = SETTINGS.filter((field) => JSON.stringify(settings[field]) !== JSON.stringify(before[field]));
  if (fields.length === 0) return before;
  if (movesPassword(before.source, settings.source)) await refusePassword(tx, deps, before.id);
  await updateWorkspaceSettings(tx, before.id, settings);
  await workspaceChanged(tx, deps, before, caller.actor.id, fields);
  if (before.paused !== settings.paused) await settleWorkspace(tx, deps, before.id);
  return { ...before, ...settings };
}

/** Nobody may read the password again, and that holds for whoever has a host of their own as well. */
async function refusePassword(tx: Transaction, { cipher }: Deps, workspaceId: string): Promise<void> {
  const [variables = []] = await listVariables(tx, cipher, [workspaceId]);
  if (!variables.some(({ category, key }) => category === "ENVIRONMENT" && key === GIT_PASSWORD)) return;
  throw invalidField(
    "source.git.url",
    `is on another host than before, which would be sent the password of the workspace: delete the variable ${GIT_PASSWORD} first, and set it again afterwards.`,
  );
}

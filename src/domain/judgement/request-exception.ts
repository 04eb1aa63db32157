import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { organizationPlace, type Place, workspacePlace } from "../../model/people/place.ts";
import {
  EVERY_RULE,
  type PolicyException,
  showException,
  type ShownException,
} from "../../model/policy/policy-exception.ts";
import type { PolicySet } from "../../model/policy/policy-set.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { countOpenExceptions, insertPolicyException } from "../../persistence/policy/policy-exception-store.ts";
import { lockPolicySet } from "../../persistence/policy/policy-set-store.ts";
import { listPolicyNames } from "../../persistence/policy/policy-version-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { authorize, command, type Sees } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { callingApprover } from "../run/calling-approver.ts";

export interface RequestPolicyExceptionInput
  extends Pick<
    PolicyException,
    "policy" | "rule" | "addressGlob" | "workspaceIds" | "reason" | "ticket" | "expiresAt"
  > {
  policySetId: string;
}

/** A policy set with the named workspaces; `null` for one that is not of its organization, or that the caller may not read. */
interface Asked {
  set: PolicySet;
  workspaces: (Workspace | null)[];
}

const PERMISSION = { permission: "POLICY_EXCEPT", words: "asking for exceptions from policies" } as const;

/**
 * Requests an exception, which another person decides about. It takes the permission in each of the workspaces, and a person:
 * of a machine or a token alone it is not known whether the one that decides is behind it.
 */
export function requestPolicyException(
  deps: Deps,
  caller: ActorCaller,
  input: RequestPolicyExceptionInput,
): Promise<ShownException> {
  const spec = {
    ...PERMISSION,
    name: "requestPolicyException",
    subjectId: input.policySetId,
    noun: "policy set",
    find: (tx: Transaction, sees: Sees) => find(tx, caller, input, sees),
    placeOf: ({ set, workspaces: [first = null] }: Asked): Place =>
      first === null ? placeOfSet(set) : workspacePlace(first),
    sight: "POLICY_READ",
    sightOf: ({ set }: Asked): Place => placeOfSet(set),
    check: async (check: InputCheck, asked: Asked, tx: Transaction) => {
      checkWorkspaces(check, caller, input, asked);
      requirePerson(deps, caller, "request");
      checkTexts(check, input, deps.clock());
      await checkPolicy(check, tx, input);
    },
  } as const;
  return command(deps, caller, spec, async (tx, { set }) => {
    const requestedAt = deps.clock().toISOString();
    if ((await countOpenExceptions(tx, set.id, requestedAt)) >= LIMITS.exceptionsPerSet) {
      const message = `has ${LIMITS.exceptionsPerSet} exceptions that are requested or in force, which is the limit. Revoke one first.`;
      throw invalidField("policySetId", message);
    }
    const { policy, rule, addressGlob, workspaceIds, reason, ticket } = input;
    const exception: PolicyException = {
      policy,
      rule,
      addressGlob,
      workspaceIds,
      reason,
      ticket,
      id: deps.newId("policyException"),
      organizationId: set.organizationId,
      setId: set.id,
      state: "REQUESTED",
      requestedById: caller.actor.id,
      requesterCountsAs: callingApprover(deps, caller, []).countsAs,
      requestedAt,
      expiresAt: new Date(input.expiresAt).toISOString(),
      decided: null,
      revoked: null,
    };
    await insertPolicyException(tx, exception);
    return showException(exception, deps.clock());
  });
}

/** Throws FORBIDDEN unless the caller is known to be a certain person. */
export function requirePerson(deps: Deps, caller: ActorCaller, action: "request" | "decide about"): void {
  if (callingApprover(deps, caller, []).kind === "PERSON") return;
  const message = `Only a person who signs in may ${action} an exception: two people are needed, and a machine user or a token alone may be either of them.`;
  throw new UserError("FORBIDDEN", message);
}

function placeOfSet({ organizationId }: PolicySet): Place {
  return organizationPlace({ id: organizationId });
}

async function find(
  tx: Transaction,
  caller: ActorCaller,
  { policySetId, workspaceIds }: RequestPolicyExceptionInput,
  sees: Sees,
): Promise<Asked | null> {
  const set = idKind(policySetId) === "policySet" ? await lockPolicySet(tx, policySetId) : null;
  if (set === null || !sees(placeOfSet(set))) return null;
  const ids = workspaceIds.slice(0, LIMITS.workspacesPerException);
  const asked = ids.filter((id) => idKind(id) === "workspace");
  const found = asked.length === 0 ? [] : await findWorkspaces(tx, asked);
  const seen = found.filter(
    (workspace) =>
      workspace?.organizationId === set.organizationId && can(caller, "WORKSPACE_READ", workspacePlace(workspace)),
  );
  return { set, workspaces: ids.map((id) => seen.find((workspace) => workspace?.id === id) ?? null) };
}

/** Throws FORBIDDEN unless the caller has the permission in each of the workspaces. */
function checkWorkspaces(
  check: InputCheck,
  caller: ActorCaller,
  { workspaceIds }: RequestPolicyExceptionInput,
  { workspaces }: Asked,
): void {
  const most = LIMITS.workspacesPerException;
  const fits = workspaceIds.length >= 1 && workspaceIds.length <= most;
  check.require(fits, "workspaceIds", `must name from 1 to ${most} workspaces.`);
  check.require(new Set(workspaceIds).size === workspaceIds.length, "workspaceIds", "must name each workspace once.");
  for (const [index, workspace] of workspaces.entries()) {
    if (workspace !== null) authorize(caller, PERMISSION, workspacePlace(workspace));
    else check.refuse(`workspaceIds.${index}`, "must be a workspace of the organization of the policy set.");
  }
}

function checkTexts(check: InputCheck, input: RequestPolicyExceptionInput, now: Date): void {
  const { policy, rule, addressGlob, reason, ticket, expiresAt } = input;
  check.label("policy", policy);
  check.label("rule", rule);
  check.label("addressGlob", addressGlob);
  check.text("reason", reason);
  check.require(reason.trim() !== "", "reason", "must explain why the violation is allowed.");
  if (ticket !== null) check.label("ticket", ticket);
  const ms = Date.parse(expiresAt);
  check.require(ms > now.getTime(), "expiresAt", "must be in the future.");
  const days = LIMITS.exceptionMs / (24 * 60 * 60 * 1000);
  check.require(ms <= now.getTime() + LIMITS.exceptionMs, "expiresAt", `must be at most ${days} days from now.`);
}

async function checkPolicy(
  check: InputCheck,
  reader: Reader,
  { policySetId, policy, rule }: RequestPolicyExceptionInput,
): Promise<void> {
  const names = await listPolicyNames(reader, policySetId);
  const shown = names.slice(0, 10).map((name) => JSON.stringify(name));
  const hint = shown.length === 0 ? "The set has none yet." : `It has ${shown.join(", ")}.`;
  check.require(names.includes(policy), "policy", `must be the name of a policy of the set. ${hint}`);
  check.require(rule !== "", "rule", `must be the name of a rule, or "${EVERY_RULE}".`);
}

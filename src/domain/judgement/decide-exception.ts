/** Decisions about exceptions: an approval or a rejection by another person, and their revocation. */
import { idKind } from "../../model/kit/id.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace, type Place } from "../../model/people/place.ts";
import {
  type ExceptionAct,
  isRequester,
  type PolicyException,
  showException,
  type ShownException,
  stateAt,
} from "../../model/policy/policy-exception.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  decidePolicyException as storeDecision,
  lockPolicyException,
  revokePolicyException as storeRevocation,
} from "../../persistence/policy/policy-exception-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { callingApprover } from "../run/calling-approver.ts";
import { requirePerson } from "./request-exception.ts";

export const EXCEPTION_DECISIONS = ["APPROVE", "REJECT"] as const;
export type ExceptionDecision = (typeof EXCEPTION_DECISIONS)[number];

export interface DecidePolicyExceptionInput {
  exceptionId: string;
  decision: ExceptionDecision;
  comment: string | null;
}

export interface RevokePolicyExceptionInput {
  exceptionId: string;
  comment: string | null;
}

const PERMISSION = { permission: "POLICY_WRITE", words: "deciding about exceptions from policies" } as const;

function onException({ exceptionId, comment }: RevokePolicyExceptionInput) {
  return {
    ...PERMISSION,
    subjectId: exceptionId,
    noun: "policy exception",
    find: async (tx: Transaction) =>
      idKind(exceptionId) === "policyException" ? lockPolicyException(tx, exceptionId) : null,
    placeOf: ({ organizationId }: PolicyException): Place => organizationPlace({ id: organizationId }),
    sight: "POLICY_READ",
    check: (check: InputCheck) => check.text("comment", comment),
  } as const;
}

/** Approves or rejects a requested exception. Its requester, and those who count as one with it, may do neither. */
export function decidePolicyException(
  deps: Deps,
  caller: ActorCaller,
  input: DecidePolicyExceptionInput,
): Promise<ShownException> {
  const spec = {
    ...onException(input),
    name: "decidePolicyException",
    presence: "ALWAYS",
    check: (check: InputCheck, exception: PolicyException) => {
      requireAnother(deps, caller, exception);
      check.text("comment", input.comment);
    },
  } as const;
  return command(deps, caller, spec, async (tx, exception) => {
    const state = input.decision === "APPROVE" ? "APPROVED" : "REJECTED";
    if (exception.state === state) return showException(exception, deps.clock());
    const decided = actOf(deps, caller, input.comment);
    const shown = stateAt(exception, decided.at);
    if (shown !== "REQUESTED") throw invalidField("exceptionId", `must be one that is requested: it is ${shown}.`);
    await storeDecision(tx, exception.id, { state, decided });
    return showException({ ...exception, state, decided }, deps.clock());
  });
}

/** Throws FORBIDDEN unless the caller is certainly another person than the requester. */
function requireAnother(deps: Deps, caller: ActorCaller, exception: PolicyException): void {
  requirePerson(deps, caller, "decide about");
  if (!isRequester(exception, callingApprover(deps, caller, []))) return;
  const message =
    "An exception is decided about by another person than its requester, and by none who counts as one with that person.";
  throw new UserError("FORBIDDEN", message);
}

/**
 * Ends an exception at once, or takes a request back. The requester needs no permission for it. Runs that were judged are
 * judged again before their apply.
 */
export function revokePolicyException(
  deps: Deps,
  caller: ActorCaller,
  input: RevokePolicyExceptionInput,
): Promise<ShownException> {
  const spec = {
    ...onException(input),
    name: "revokePolicyException",
    isOwn: ({ requestedById }: PolicyException) => requestedById === caller.actor.id,
  } as const;
  return command(deps, caller, spec, async (tx, exception) => {
    if (exception.state === "REVOKED") return showException(exception, deps.clock());
    const revoked = actOf(deps, caller, input.comment);
    const shown = stateAt(exception, revoked.at);
    if (shown !== "REQUESTED" && shown !== "APPROVED") {
      throw invalidField("exceptionId", `must be one that is requested or approved: it is ${shown}.`);
    }
    await storeRevocation(tx, exception.id, revoked);
    return showException({ ...exception, state: "REVOKED", revoked }, deps.clock());
  });
}

function actOf({ clock }: Pick<Deps, "clock">, { actor }: ActorCaller, comment: string | null): ExceptionAct {
  return { actorId: actor.id, at: clock().toISOString(), comment };
}

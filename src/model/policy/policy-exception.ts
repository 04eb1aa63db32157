/** Exceptions: violations that people allow for some time, although a policy forbids them. */
import type { EnforcementLevel } from "./policy-set.ts";

/** The decisions about an exception. An approved one ends at its time without another decision. */
export const POLICY_EXCEPTION_STATES = ["REQUESTED", "APPROVED", "REJECTED", "REVOKED"] as const;
export type PolicyExceptionState = (typeof POLICY_EXCEPTION_STATES)[number];
/** EXPIRED: its time has come before it was rejected or revoked. */
export type ShownExceptionState = PolicyExceptionState | "EXPIRED";

/** Matches all rules of a policy. */
export const EVERY_RULE = "*";

/** An act of a person about an exception. */
export interface ExceptionAct {
  actorId: string;
  at: string;
  comment: string | null;
}

/** Instants are RFC 3339 with milliseconds and Z. */
export interface PolicyException {
  id: string;
  organizationId: string;
  setId: string;
  /** The name of a policy of the set. */
  policy: string;
  /** The name of a rule of the policy, or `*`. */
  rule: string;
  /** A glob of addresses: `*` matches any characters. */
  addressGlob: string;
  workspaceIds: readonly string[];
  reason: string;
  ticket: string | null;
  state: PolicyExceptionState;
  requestedById: string;
  /** The id of the actor as which the requester counted at that time: its own, or that of its sponsor. */
  requesterCountsAs: string;
  requestedAt: string;
  expiresAt: string;
  /** The approval or the rejection; `null` if there is none. */
  decided: ExceptionAct | null;
  revoked: ExceptionAct | null;
}

/** An exception with its state as of an instant. */
export interface ShownException extends PolicyException {
  shownState: ShownExceptionState;
}

/** Returns the state of an exception at an instant. */
export function stateAt(
  { state, expiresAt }: Pick<PolicyException, "state" | "expiresAt">,
  at: string,
): ShownExceptionState {
  const isOpen = state === "REQUESTED" || state === "APPROVED";
  return isOpen && expiresAt <= at ? "EXPIRED" : state;
}

/** Returns an exception with its state at an instant. */
export function showException(exception: PolicyException, at: Date): ShownException {
  return { ...exception, shownState: stateAt(exception, at.toISOString()) };
}

/** A violation, as far as exceptions and overrides ask about it. */
export interface Violation {
  id: string;
  source: "POLICY" | "CHECK";
  /** The id of the policy set, or of the external check. */
  ownerId: string;
  policy: string;
  rule: string;
  level: EnforcementLevel;
  /** ERROR: it could not be judged. */
  status: "FAILED" | "ERROR" | "WAIVED" | "OVERRIDDEN" | "APPROVED";
  addresses: readonly string[];
  /** Set: it demands approvals and is no violation. */
  approvers: object | null;
}

/** Whether an actor is the person that requested an exception, or counts as one with it. */
export function isRequester(
  { requestedById, requesterCountsAs }: Pick<PolicyException, "requestedById" | "requesterCountsAs">,
  { actorId, countsAs }: { actorId: string; countsAs: string },
): boolean {
  const people = [requestedById, requesterCountsAs];
  return people.includes(actorId) || people.includes(countsAs);
}

/**
 * Returns by violation the exception that covers it. `exceptions`: those in force for the workspace, of any set; the first that
 * covers counts. An error and a demand for approvals are no violations, and no exception covers them. `globOf`: compiles a
 * glob of addresses.
 */
export function waivers(
  violations: readonly Violation[],
  exceptions: readonly PolicyException[],
  globOf: (glob: string) => (text: string) => boolean,
): Map<string, string> {
  const compiled = exceptions.map((exception) => ({ exception, matches: globOf(exception.addressGlob) }));
  const found = violations.flatMap((violation): [string, string][] => {
    if (violation.source !== "POLICY" || violation.status === "ERROR" || violation.approvers !== null) return [];
    const first = compiled.find(({ exception, matches }) => covers(exception, violation, matches));
    return first === undefined ? [] : [[violation.id, first.exception.id]];
  });
  return new Map(found);
}

/** Without addresses a violation is about the whole plan: an exception of some addresses does not cover it. */
function covers(
  { setId, policy, rule, addressGlob }: PolicyException,
  violation: Violation,
  matches: (address: string) => boolean,
): boolean {
  const isOfRule = rule === EVERY_RULE || rule === violation.rule;
  if (setId !== violation.ownerId || policy !== violation.policy || !isOfRule) return false;
  return violation.addresses.length === 0 ? addressGlob === "*" : violation.addresses.every(matches);
}

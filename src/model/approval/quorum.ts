/** Decides about approvals: which stage of a gate is open, who has approved it, and who may. */
import { LIMITS } from "../kit/limits.ts";
import type { Approval, Gate } from "./approval.ts";
import type { Approver } from "./approver.ts";
import type { StageOfRun } from "./run-stage.ts";

/** Whether a stage is passed by overriding failures of policies, and not by approvals. */
export function isOverride(rule: StageOfRun | null): boolean {
  return rule?.origin?.source === "OVERRIDE";
}

/** The rules of a gate of a run, and the approvals of its current plan. */
export interface QuorumInput {
  gate: Gate;
  /** The stages in order, from `stagesAt`. */
  rules: readonly StageOfRun[];
  /** The creator of the run, the person who requested the current plan if that is another, and their sponsors. */
  requesterIds: readonly string[];
  /** The people who approved the plan of the run, at any stage, and those as which they counted. */
  planApproverIds: readonly string[];
  /** Another person than at the plan gate must approve the apply (`separatesGates`). */
  gatesSeparated: boolean;
  /** Approvals at this gate that count. */
  approvals: readonly Approval[];
}

/** A stage of a gate and its approvals. */
export interface StageProgress {
  /** The name that approvals use; `null` if no rule defines stages. */
  name: string | null;
  /** `null`: one approval by any approver is enough. */
  rule: StageOfRun | null;
  minimum: number;
  /** The approvals that the rule counts, oldest first. */
  given: Approval[];
  missing: number;
  satisfied: boolean;
  /** The run waits for this stage now: the stage that an approval is for, and each that lacks an override. */
  current: boolean;
}

/** The verdict on an approval. `quorumReached`: with it, every stage of the gate has its quorum. */
export type ApprovalVerdict =
  | { kind: "excluded"; stage: StageProgress; reason: string }
  /** The rule requires the person to be present: to sign in again, and to approve from that session. */
  | { kind: "absent"; stage: StageProgress; reason: string }
  /** The named stage is not the one that an approval is for now. */
  | { kind: "otherTurn"; reason: string }
  /** The person's approval is counted there already; another one adds nothing. */
  | { kind: "repeated"; stage: StageProgress; quorumReached: boolean }
  /** `ambiguous`: that person approved another stage of the gate, and must name this one. */
  | { kind: "counts"; stage: StageProgress; quorumReached: boolean; ambiguous: boolean };

/**
 * Returns the stages of a gate in order. The current one is the first that lacks an approval; overrides have no order. If none
 * lacks anything because rules were relaxed, it is the last, and the next approval passes the gate.
 *
 * Not counted: approvals at stages of overrides, and overrides at others; approvals of stages that no longer exist, of actors
 * whom the current rules exclude, and without a required comment or presence.
 */
export function stageProgress(quorum: QuorumInput): StageProgress[] {
  const { rules, approvals } = quorum;
  const stages = rules.length === 0 ? [null] : rules;
  const names = stageNames(rules);
  const progress = stages.map((rule, index) => {
    const name = names[index] ?? null;
    const counted = approvals.filter(
      (approval) =>
        approval.stage === name &&
        (approval.decision === "OVERRIDDEN") === isOverride(rule) &&
        exclusion(rule, quorum, approverOf(approval)) === null &&
        !(rule?.commentRequired === true && (approval.comment ?? "").trim() === "") &&
        !(rule?.requirePresence === true && !approval.present),
    );
    const given = rule?.machinesCount === true ? counted : firstOfEachPerson(counted);
    const minimum = rule?.minimum ?? 1;
    const missing = Math.max(0, minimum - given.length);
    return { name, rule, minimum, given, missing, satisfied: missing === 0 };
  });
  const open = progress.findIndex(({ rule, satisfied }) => !satisfied && !isOverride(rule));
  const isDone = progress.every(({ satisfied }) => satisfied);
  const current = isDone ? progress.findLastIndex(({ rule }) => !isOverride(rule)) : open;
  return progress.map((stage, index) => {
    return { ...stage, current: index === current || (isOverride(stage.rule) && !stage.satisfied) };
  });
}

/** Leaves out the approvals of people who count as one that approved before. */
function firstOfEachPerson(approvals: readonly Approval[]): Approval[] {
  const people = new Set<string>();
  return approvals.filter(({ countsAs }) => !people.has(countsAs) && people.add(countsAs).size > 0);
}

/** Returns unique names of stages: an organization and a workspace may use the same name for a rule. */
function stageNames(rules: readonly StageOfRun[]): string[] {
  const taken = new Set<string>();
  return rules.map(({ name }) => {
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name} (${count})`;
    taken.add(unique);
    return unique;
  });
}

/** Returns the approver as it was at the time of its decision. */
export function approverOf({ actorId, approverKind, teamIds, countsAs }: Approval): Approver {
  return { actorId, kind: approverKind, teamIds, countsAs };
}

/** The part of a quorum that decides who counts. */
type GateRules = Pick<QuorumInput, "gate" | "requesterIds" | "planApproverIds" | "gatesSeparated">;

/** Returns why an actor does not count at a stage, as a sentence for that person; `null` if the actor counts. */
export function exclusion(
  rule: StageOfRun | null,
  { requesterIds, planApproverIds, gate, gatesSeparated }: GateRules,
  approver: Approver,
): string | null {
  const refusal = identityRefusal(rule, { gate, gatesSeparated }, approver);
  if (refusal !== null || rule === null) return refusal;
  const named = nameOf(rule);
  const isOneOf = (ids: readonly string[]) => ids.includes(approver.actorId) || countsAsOneOf(rule, ids, approver);
  if (rule.excludeRequester && isOneOf(requesterIds)) {
    return `${named} excludes the person who created the run or requested this plan (excludeRequester), and those who count as one with it. Another person must approve.${hint(requesterIds, approver)}`;
  }
  if (gate === "APPLY" && rule.distinctFromPlanApprover && isOneOf(planApproverIds)) {
    return `${named} excludes the people who approved the plan (distinctFromPlanApprover), and those who count as one with them. Another person must approve.${hint(planApproverIds, approver)}`;
  }
  return null;
}

/** Shown to people who count as another one. Names the field that has the end. */
const ONE_PERSON =
  "At first, people count as one with those who invited them; OrganizationMember.countsAloneAt shows until when.";

/** Names a stage at the beginning of a sentence. */
function nameOf({ name, origin }: StageOfRun): string {
  return `The ${origin === undefined || origin.source === "RULE" ? "approval rule" : "stage"} "${name}"`;
}

/** Empty for an actor that is one of these itself. */
function hint(ids: readonly string[], { actorId }: Approver): string {
  return ids.includes(actorId) ? "" : ` ${ONE_PERSON}`;
}

/** Whether an actor counts as one of these, at a rule that counts people. */
function countsAsOneOf(rule: StageOfRun, ids: readonly string[], { countsAs }: Approver): boolean {
  return !rule.machinesCount && ids.includes(countsAs);
}

/** Returns why an approval would add no person to those of a stage, as a sentence for that person; `null` if it would. */
export function repetition({ rule, given }: StageProgress, approver: Approver): string | null {
  if (rule === null || rule.minimum === 1) return null;
  const others = given.filter(({ actorId }) => actorId !== approver.actorId).map(({ countsAs }) => countsAs);
  if (!countsAsOneOf(rule, others, approver)) return null;
  return `${nameOf(rule)} counts each person once, and you count as one that approved. Another person must approve. ${ONE_PERSON}`;
}

/** Returns why an actor counts at no run of a stage; `null` if it may count. */
export function identityRefusal(
  rule: StageOfRun | null,
  gateRules: Pick<GateRules, "gate" | "gatesSeparated">,
  { actorId, kind, teamIds }: Approver,
): string | null {
  const named = rule === null ? "A gate without rules" : nameOf(rule);
  if (rule?.machinesCount !== true) {
    if (kind === "MACHINE") return `${named} counts people, not machine users (machinesCount). A person must approve.`;
    if (kind === "UNIDENTIFIED" && distinguishesPeople(rule, gateRules)) {
      return `${rule === null ? "This gate" : named} distinguishes people, and a token alone does not show which person you are. A person who signs in must approve.`;
    }
  }
  if (rule === null || rule.approverIds.length + rule.teamIds.length === 0) return null;
  if (rule.approverIds.includes(actorId) || rule.teamIds.some((id) => teamIds.includes(id))) return null;
  return `${named} counts only its named approvers and teams (approverIds, teamIds). One of them must approve.`;
}

/** Whether a stage asks for more than one approval by any person. */
function distinguishesPeople(
  rule: StageOfRun | null,
  { gate, gatesSeparated }: Pick<GateRules, "gate" | "gatesSeparated">,
): boolean {
  if (gate === "PLAN" && gatesSeparated) return true;
  if (rule === null) return false;
  const { minimum, excludeRequester, distinctFromPlanApprover, requirePresence } = rule;
  return minimum > 1 || excludeRequester || requirePresence || (gate === "APPLY" && distinctFromPlanApprover);
}

/** An actor that approves now. `present`: its person has lately proved to be present. */
export interface PresentApprover extends Approver {
  present: boolean;
}

/** Judges an approval by an actor. `wanted`: the name of the stage; `null` for the current one. */
export function judgeApproval(
  quorum: QuorumInput,
  approver: PresentApprover,
  wanted: string | null = null,
): ApprovalVerdict {
  const stages = stageProgress(quorum);
  const current = stages.find((stage) => stage.current && !isOverride(stage.rule));
  const stage = wanted === null ? current : stages.find(({ name }) => name === wanted);
  if (stage === undefined) {
    return { kind: "otherTurn", reason: wanted === null ? overrideReason(stages) : noSuchStage(wanted, stages) };
  }
  if (isOverride(stage.rule)) return { kind: "otherTurn", reason: overrideReason([stage]) };
  const reason = exclusion(stage.rule, quorum, approver);
  if (reason !== null) return { kind: "excluded", stage, reason };
  const missing = stages.reduce((sum, each) => sum + each.missing, 0);
  if (hasDecided(stage, approver)) return { kind: "repeated", stage, quorumReached: missing === 0 };
  const repeated = repetition(stage, approver);
  if (repeated !== null) return { kind: "excluded", stage, reason: repeated };
  if (stage !== current) {
    const first = current === undefined ? overrideReason(stages) : `The stage "${current.name ?? ""}" comes first.`;
    return { kind: "otherTurn", reason: first };
  }
  const absent = absence(stage, approver);
  if (absent !== null) return { kind: "absent", stage, reason: absent };
  const ambiguous = wanted === null && stages.some((each) => !isOverride(each.rule) && hasDecided(each, approver));
  return { kind: "counts", stage, quorumReached: missing - (stage.satisfied ? 0 : 1) === 0, ambiguous };
}

/** Judges an override of the failures of a policy set. `null`: no stage asks for one. */
export function judgeOverride(
  quorum: QuorumInput,
  approver: PresentApprover,
  ownerId: string,
): Exclude<ApprovalVerdict, { kind: "otherTurn" }> | null {
  const stages = stageProgress(quorum);
  const stage = stages.find(({ rule }) => isOverride(rule) && rule?.origin?.ownerId === ownerId);
  if (stage === undefined) return null;
  const reason = exclusion(stage.rule, quorum, approver);
  if (reason !== null) return { kind: "excluded", stage, reason };
  const missing = stages.reduce((sum, each) => sum + each.missing, 0);
  if (stage.satisfied || hasDecided(stage, approver)) return { kind: "repeated", stage, quorumReached: missing === 0 };
  const repeated = repetition(stage, approver);
  if (repeated !== null) return { kind: "excluded", stage, reason: repeated };
  const absent = absence(stage, approver);
  if (absent !== null) return { kind: "absent", stage, reason: absent };
  return { kind: "counts", stage, quorumReached: missing - 1 === 0, ambiguous: false };
}

function hasDecided({ given }: StageProgress, { actorId }: Approver): boolean {
  return given.some((approval) => approval.actorId === actorId);
}

/** Returns why a decision takes another sign-in; `null` if it takes none. */
function absence({ rule }: StageProgress, { present }: PresentApprover): string | null {
  if (rule?.requirePresence !== true || present) return null;
  const minutes = LIMITS.presenceMs / 60_000;
  return `${nameOf(rule)} takes a sign-in of the last ${minutes} minutes (requirePresence). Sign in again, and approve in that session.`;
}

function overrideReason(stages: readonly StageProgress[]): string {
  const names = stages.flatMap(({ rule, name, satisfied }) =>
    isOverride(rule) && !satisfied ? [JSON.stringify(name)] : [],
  );
  const which = names.length === 1 ? `The stage ${names.join()} is` : `The stages ${names.join(", ")} are`;
  return `${which} passed by overriding the failures of policies (overridePolicies), not by approving.`;
}

function noSuchStage(wanted: string | null, stages: readonly StageProgress[]): string {
  const names = stages.flatMap(({ name }) => (name === null ? [] : [JSON.stringify(name)]));
  const remedy = names.length === 0 ? "Omit `stage`" : `Name one of ${names.join(", ")}`;
  return `The gate has no stage ${JSON.stringify(wanted)}. ${remedy}.`;
}

/** Whether failures of policies still wait for an override. */
export function lacksOverride(quorum: QuorumInput): boolean {
  return stageProgress(quorum).some(({ rule, satisfied }) => isOverride(rule) && !satisfied);
}

/** Returns the name of the stage that an approval is for now; `null` if no rule defines stages. */
export function openStage(quorum: QuorumInput): string | null {
  return stageProgress(quorum).find(({ current }) => current)?.name ?? null;
}

/** Whether the given approvals pass the gate, for example after rules were relaxed. */
export function isPassed(quorum: QuorumInput): boolean {
  return stageProgress(quorum).every(({ satisfied }) => satisfied);
}

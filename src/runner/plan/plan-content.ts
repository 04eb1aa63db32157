import type {
  OutputChange,
  OutputValues,
  PlanContent,
  PlanCounts,
  ResourceAction,
  ResourceChange,
} from "../../model/plan/plan.ts";
import type { Masker } from "../mask/masker.ts";
import { dependenciesOf } from "./change-dependencies.ts";
import { changeFacts } from "./change-facts.ts";
import { checkBlocksOfPlan, shownCheckBlocks } from "./check-blocks.ts";
import { asJson, maskJson } from "./mask-json.ts";
import { foundDrift } from "./plan-drift.ts";
import { instancesOf, type JsonChange, type JsonResourceChange, type PlanJson } from "./plan-json.ts";
import { markedPaths, marksAnything, mergeMarks, toMarks, withNullWhereMarked, withoutMarked } from "./plan-marks.ts";

/** Destructions first, then everything else as the engine ordered it. */
const RANK: Partial<Record<ResourceAction, number>> = { DELETE: 0, REPLACE: 1 };
const LAST_RANK = 2;
/** Bounds all addresses of a plan together: the message that carries them ends at 64 MiB. */
const INSTANCES_LENGTH = 8 * 1024 * 1024;

/** Describes a plan from the engine's JSON. `targeted`: the plan was made with targets. */
export function describePlan(
  plan: PlanJson,
  targeted: boolean,
  masker: Masker,
): Pick<
  PlanContent,
  | "complete"
  | "counts"
  | "resourceChanges"
  | "outputChanges"
  | "outputValues"
  | "instances"
  | "actionInvocations"
  | "drift"
  | "checks"
> {
  const listed = plan.resource_changes.filter(isListed);
  const dependencies = dependenciesOf(
    plan.configuration,
    listed.map(({ address }) => address),
  );
  const resourceChanges = listed
    .map((change, index) => ({ ...toResourceChange(change, masker), dependsOn: dependencies[index] ?? [] }))
    .sort((a, b) => (RANK[a.action] ?? LAST_RANK) - (RANK[b.action] ?? LAST_RANK));
  const forgets = plan.resource_changes.filter(({ change }) => change.actions.includes("forget")).length;
  return {
    complete: plan.complete ?? (!targeted && (plan.deferred_changes ?? []).length === 0),
    counts: countChanges(resourceChanges, forgets),
    resourceChanges,
    outputChanges: toOutputChanges(plan.output_changes),
    outputValues: toOutputValues(plan.output_changes, masker),
    ...shownInstances(plan, masker),
    ...invokedActions(plan, masker),
    ...foundDrift(plan, masker),
    ...evaluatedChecks(plan, masker),
  };
}

/** Counts each resource once by its action; imports and moves count in addition. */
function countChanges(changes: readonly ResourceChange[], forgets: number): PlanCounts {
  const of = (action: ResourceAction) => changes.filter((change) => change.action === action).length;
  return {
    additions: of("CREATE"),
    changes: of("UPDATE"),
    destructions: of("DELETE"),
    replacements: of("REPLACE"),
    imports: changes.filter(({ imported }) => imported).length,
    moves: changes.filter(({ previousAddress }) => previousAddress !== null).length,
    forgets,
  };
}

function isListed(change: JsonResourceChange): boolean {
  return toAction(change.change.actions) !== "NO_OP" || isMoved(change) || isImported(change);
}

function isMoved({ address, previous_address }: JsonResourceChange): boolean {
  return previous_address !== undefined && previous_address !== address;
}

function isImported({ change }: JsonResourceChange): boolean {
  return change.importing !== undefined && change.importing !== null;
}

/** Maps actions of the engine. Two actions are a replacement; the old object may be forgotten instead of destroyed. */
function toAction(actions: readonly string[]): ResourceAction {
  if (actions.length > 1) return "REPLACE";
  switch (actions[0]) {
    case "create":
      return "CREATE";
    case "update":
      return "UPDATE";
    case "delete":
      return "DELETE";
    case "read":
      return "READ";
    case "forget":
      return "FORGET";
    case "no-op":
    case undefined:
      return "NO_OP";
    default:
      throw new Error(`The engine plans an unknown action: ${actions.join(", ")}`);
  }
}

function toResourceChange(resource: JsonResourceChange, masker: Masker): Omit<ResourceChange, "dependsOn"> {
  const { change } = resource;
  const action = toAction(change.actions);
  const sensitive = mergeMarks(toMarks(change.before_sensitive), toMarks(change.after_sensitive));
  const unknown = toMarks(change.after_unknown);
  const after = withNullWhereMarked(asJson(change.after), unknown) ?? null;
  const maskName = (name: string) => masker.maskName(name);
  const deposed = resource.deposed === undefined ? "" : ` (deposed object ${resource.deposed})`;
  return {
    address: masker.maskAddress(resource.address) + deposed,
    type: resource.type,
    name: resource.name,
    module: resource.module_address === undefined ? null : masker.maskAddress(resource.module_address),
    action,
    createBeforeDestroy: action === "REPLACE" ? change.actions[0] === "create" : null,
    previousAddress: isMoved(resource) ? masker.maskAddress(resource.previous_address ?? "") : null,
    imported: isImported(resource),
    before: maskJson(withoutMarked(asJson(change.before) ?? null, sensitive), masker),
    after: maskJson(withoutMarked(after, sensitive), masker),
    sensitivePaths: markedPaths(sensitive).map(maskName),
    unknownPaths: markedPaths(unknown).map(maskName),
    ...changeFacts(resource, masker),
  };
}

/** Gives the instances; none if a key is masked, because a target could not be compared with it. */
function shownInstances(plan: PlanJson, masker: Masker): Pick<PlanContent, "instances"> {
  const instances = instancesOf(plan);
  const length = instances.reduce((sum, address) => sum + address.length, 0);
  const isShown = length <= INSTANCES_LENGTH && instances.every((address) => masker.maskAddress(address) === address);
  return isShown ? { instances } : {};
}

function invokedActions(
  { action_invocations: invocations = [] }: PlanJson,
  masker: Masker,
): Pick<PlanContent, "actionInvocations"> {
  if (invocations.length === 0) return {};
  const actionInvocations = invocations.map(({ address, type, lifecycle_action_trigger: trigger }) => {
    const triggerAddress = trigger?.triggering_resource_address ?? null;
    return {
      address: masker.maskAddress(address),
      type,
      triggerAddress: triggerAddress === null ? null : masker.maskAddress(triggerAddress),
      triggerEvent: trigger?.action_trigger_event ?? null,
    };
  });
  return { actionInvocations };
}

function evaluatedChecks({ checks }: PlanJson, masker: Masker): Pick<PlanContent, "checks"> {
  const found = shownCheckBlocks(checkBlocksOfPlan(checks), masker);
  return found === null ? {} : { checks: found };
}

function toOutputChanges(changes: Record<string, JsonChange>): OutputChange[] {
  return Object.entries(changes)
    .map(([name, change]) => ({
      name,
      action: toAction(change.actions),
      sensitive: [change.before_sensitive, change.after_sensitive].some((marks) => marksAnything(toMarks(marks))),
    }))
    .filter(({ action }) => action !== "NO_OP");
}

function toOutputValues(changes: Record<string, JsonChange>, masker: Masker): OutputValues[] {
  const listed = Object.entries(changes).filter(([, { actions }]) => toAction(actions) !== "NO_OP");
  return listed.map(([name, change]) => {
    const sensitive = mergeMarks(toMarks(change.before_sensitive), toMarks(change.after_sensitive));
    const unknown = toMarks(change.after_unknown);
    const after = withNullWhereMarked(asJson(change.after), unknown) ?? null;
    return {
      name,
      before: maskJson(withoutMarked(asJson(change.before) ?? null, sensitive), masker),
      after: maskJson(withoutMarked(after, sensitive), masker),
      unknown: marksAnything(unknown),
    };
  });
}

/** Overrides of earlier plans that hold for another one. */
import { isPassed } from "../../model/approval/quorum.ts";
import type { PolicyOverriders } from "../../model/policy/policy-set.ts";
import { ANY_OVERRIDER, overrideRule } from "../../model/policy/policy-stages.ts";
import type { Finding } from "../../model/policy/verdict.ts";
import { requestersOf, type Run } from "../../model/run/run.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import {
  type CarriedOverride,
  insertOverrides,
  listCarriedOverrides,
  listHoldingOverrides,
  type OverriddenFailure,
  type StoredOverride,
} from "../../persistence/policy/policy-override-store.ts";
import { findOverriders } from "../../persistence/policy/policy-set-store.ts";

/** A failure that people may override. */
export type OverridableFailure = Pick<Finding, "id" | "ownerId" | "judgeId" | "fingerprint">;

/** The overrides that hold for all failures of one owner. */
export interface HeldOverride {
  ownerId: string;
  approvalIds: readonly string[];
  failures: readonly OverridableFailure[];
}

/**
 * Returns by owner the overrides of earlier plans that hold for the newest plan of a run. They hold for all failures of a policy
 * set together or for none: each person must have overridden every one of them, and enough people must count for this run.
 * Without failures it costs no statement.
 */
export async function findHeldOverrides(
  reader: Reader,
  run: Run,
  failures: readonly OverridableFailure[],
): Promise<HeldOverride[]> {
  if (failures.length === 0) return [];
  const byOwner = Map.groupBy(failures, ({ ownerId }) => ownerId);
  const ownerIds = [...byOwner.keys()];
  const overrides = await listHoldingOverrides(reader, run, failures);
  if (overrides.length === 0) return [];
  const overriders = await findOverriders(reader, ownerIds);
  return ownerIds.flatMap((ownerId, index) => {
    const own = byOwner.get(ownerId) ?? [];
    const given = overrides.filter((override) => override.ownerId === ownerId);
    const approvals = ofPeopleWhoOverrodeAll(given, new Set(own.map(keyOf)));
    if (!isEnough(run, approvals, overriders[index] ?? ANY_OVERRIDER)) return [];
    return [{ ownerId, approvalIds: approvals.map(({ approval }) => approval.id), failures: own }];
  });
}

const keyOf = ({ judgeId, fingerprint }: OverriddenFailure): string => `${judgeId} ${fingerprint}`;

/** Returns the overrides of the people who overrode every failure, in one decision or in several. */
function ofPeopleWhoOverrodeAll(given: readonly StoredOverride[], wanted: ReadonlySet<string>): StoredOverride[] {
  const byPerson = Map.groupBy(given, ({ approval }) => approval.actorId);
  return [...byPerson.values()].flatMap((own) => {
    const overridden = new Set(own.flatMap(({ failures }) => failures.map(keyOf)));
    return wanted.isSubsetOf(overridden) ? own : [];
  });
}

function isEnough(run: Run, given: readonly StoredOverride[], overriders: Omit<PolicyOverriders, "holds">): boolean {
  const rule = overrideRule("", overriders);
  return isPassed({
    gate: "PLAN",
    rules: [rule],
    requesterIds: requestersOf(run),
    planApproverIds: [],
    gatesSeparated: false,
    approvals: given.map(({ approval }) => ({ ...approval, stage: rule.name })),
  });
}

/** Notes the overrides of earlier plans that hold for the newest plan of a run. */
export async function noteHeldOverrides(
  tx: Transaction,
  { id: runId, planVersion }: Pick<Run, "id" | "planVersion">,
  held: readonly HeldOverride[],
): Promise<void> {
  for (const { ownerId, approvalIds, failures } of held) {
    for (const approvalId of approvalIds) {
      await insertOverrides(tx, { runId, planVersion, ownerId, approvalId }, failures);
    }
  }
}

/** Returns by run the overrides that are carried to its newest plan. Runs that nothing has judged cost no statement. */
export async function readCarriedOverrides(
  reader: Reader,
  runs: readonly Pick<Run, "id" | "judged">[],
): Promise<(readonly CarriedOverride[])[]> {
  const judged = runs.flatMap(({ id, judged: by }) => (by === null ? [] : [id]));
  if (judged.length === 0) return runs.map(() => []);
  const found = await listCarriedOverrides(reader, judged);
  return runs.map(({ id }) => found[judged.indexOf(id)] ?? []);
}

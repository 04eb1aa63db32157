/** Opens, starts and ends the verification of a run with the changes of its status. */
import { isApplyLeg } from "../../model/lifecycle/run-kind.ts";
import { isTerminal, isVerifying, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Run } from "../../model/run/run.ts";
import { requiredProbes } from "../../model/verification/required-probe.ts";
import type { VerificationStatus } from "../../model/verification/verification.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listProbes } from "../../persistence/probe/probe-store.ts";
import { offerSamples } from "../../persistence/verification/sampling-store.ts";
import {
  deleteVerification,
  insertVerification,
  lockVerification,
  setRequiredProbes,
  updateVerification,
} from "../../persistence/verification/verification-store.ts";
import type { Deps } from "../kit/deps.ts";
import { probeDigest } from "../kit/probe-digest.ts";
import { isVerified, type WorkspaceContext } from "./machine-input.ts";

/**
 * Opens the verification of a run that is approved, so that probes are sent before its apply; starts it after the apply;
 * ends it with the run. A run that is not verified costs no statement.
 */
export async function followVerification(
  tx: Transaction,
  deps: Pick<Deps, "newId" | "clock" | "cipher">,
  context: Pick<WorkspaceContext, "workspace" | "judges" | "hasProbes">,
  before: Run,
  after: Run,
): Promise<void> {
  if (before.status === after.status || !hasApplyLeg(before, after)) return;
  const { approved, changesInfrastructure } = STATUS_TRAITS[after.status];
  const verifies = isVerified(context, after.kind);
  // Its approval was taken back: the next one is another point in time.
  if (verifies && isTakenBack(before, after)) return deleteVerification(tx, after.id);
  if (isVerifying(after.status)) return start(tx, deps, context, after);
  if (verifies && (approved || changesInfrastructure)) return open(tx, deps, context, after);
  if (isTerminal(after.status) && (verifies || isVerifying(before.status))) await end(tx, deps, after);
}

async function open(
  tx: Transaction,
  deps: Pick<Deps, "newId" | "clock">,
  { workspace }: Pick<WorkspaceContext, "workspace">,
  { id: runId }: Run,
): Promise<void> {
  const id = deps.newId("verification");
  await insertVerification(tx, { id, runId, settings: workspace.verification, createdAt: deps.clock().toISOString() });
}

async function start(
  tx: Transaction,
  deps: Pick<Deps, "newId" | "clock" | "cipher">,
  context: Pick<WorkspaceContext, "workspace">,
  run: Run,
): Promise<void> {
  await open(tx, deps, context, run);
  const found = await lockVerification(tx, run.id);
  if (found === null) throw new Error(`${run.id} has no verification.`);
  const { initialDelaySeconds, windowSeconds } = found.settings;
  const dueMs = deps.clock().getTime() + initialDelaySeconds * 1000;
  const startedAt = deps.clock().toISOString();
  const endsAt = new Date(dueMs + windowSeconds * 1000).toISOString();
  const started = { ...found, status: "RUNNING", startedAt, endsAt } as const;
  const dueAt = new Date(dueMs).toISOString();
  await updateVerification(tx, started, dueAt);
  const [probes = []] = await listProbes(tx, deps.cipher, [run.workspaceId]);
  await setRequiredProbes(tx, started.id, requiredProbes(probes, probeDigest(deps)));
  await offerSamples(tx, started.id, dueAt);
}

function hasApplyLeg(...runs: readonly Run[]): boolean {
  return runs.some(({ leg }) => isApplyLeg(leg));
}

function isTakenBack(before: Run, after: Run): boolean {
  const { gate, terminal } = STATUS_TRAITS[after.status];
  return STATUS_TRAITS[before.status].approved && (gate !== null || terminal);
}

/** Ends a verification that did not end the run itself. */
async function end(tx: Transaction, { clock }: Pick<Deps, "clock">, run: Run): Promise<void> {
  const found = await lockVerification(tx, run.id);
  if (found === null || found.finishedAt !== null) return;
  await updateVerification(tx, { ...found, status: endOf(run), finishedAt: clock().toISOString() }, null);
}

/** A run whose apply was skipped has nothing to verify. Its limit of time is the only one that fails a verifying run. */
function endOf({ status, appliedAt }: Run): VerificationStatus {
  const { end } = STATUS_TRAITS[status];
  if (end === "WELL") return "SKIPPED";
  return appliedAt !== null && end === "BADLY" ? "FAILED" : "CANCELED";
}

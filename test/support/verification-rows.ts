/** Rows of verifications, for tests that are about something else. */
import { applyTransition, mustAccept } from "../../src/domain/lifecycle/apply-transition.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";
import { lockForChange } from "../../src/domain/lifecycle/locked-run.ts";
import { SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import { endLiveJob } from "../../src/persistence/dispatch/job-store.ts";
import { newProgress } from "../../src/model/verification/verification.ts";
import { DEFAULT_VERIFICATION } from "../../src/model/workspace/verification-settings.ts";
import {
  insertVerification,
  lockVerification,
  updateVerification,
} from "../../src/persistence/verification/verification-store.ts";

/** Inserts a verification of a run that waits for a person. Returns its id. */
export async function insertVerificationRow(
  deps: Pick<Deps, "database" | "newId" | "clock">,
  runId: string,
): Promise<string> {
  const id = deps.newId("verification");
  const at = deps.clock().toISOString();
  await deps.database.transaction(async (tx) => {
    await insertVerification(tx, { id, runId, settings: DEFAULT_VERIFICATION, createdAt: at });
    const found = await lockVerification(tx, runId);
    if (found === null) throw new Error(`${runId} has no verification.`);
    const probe = {
      name: "web",
      target: 0,
      weight: "REQUIRED",
      from: "SERVER",
      resolvedTarget: "https://a.test/",
    } as const;
    const probes = [newProgress(probe)];
    await updateVerification(
      tx,
      { ...found, status: "INCONCLUSIVE", startedAt: at, endsAt: at, reason: "x", probes },
      null,
    );
  });
  return id;
}

/** Moves a run that is APPLYING to VERIFYING, as its runner would do in a workspace with probes. */
export async function beginVerifying(deps: Deps, runId: string): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const locked = await lockForChange(tx, deps, runId);
    if (locked === null) throw new Error(`${runId} is gone.`);
    await endLiveJob(tx, runId, deps.clock().toISOString());
    const details = { actorId: SYSTEM_ACTOR_ID, set: { appliedAt: deps.clock().toISOString() } };
    const verified = { ...locked, hasProbes: true };
    await applyTransition(tx, deps, verified, mustAccept(verified, { type: "applied" }), details);
  });
}

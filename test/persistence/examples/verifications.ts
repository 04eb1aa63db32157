import type { Verification } from "../../../src/model/verification/verification.ts";
import { DEFAULT_VERIFICATION } from "../../../src/model/workspace/verification-settings.ts";
import * as verifications from "../../../src/persistence/verification/verification-store.ts";
import * as samplings from "../../../src/persistence/verification/sampling-store.ts";
import * as rollbacks from "../../../src/persistence/verification/rollback-store.ts";
import { exampleStore, LATER, type World } from "./world.ts";

function verificationOf({ run, id, at }: World): Verification {
  return {
    id: id("verification"),
    runId: run.id,
    status: "RUNNING",
    settings: DEFAULT_VERIFICATION,
    baselinePassed: true,
    probes: [],
    createdAt: at,
    startedAt: at,
    endsAt: LATER,
    finishedAt: null,
    reason: null,
    concludedById: null,
    comment: null,
  };
}

export const VERIFICATION_STORES = {
  "rollback-store": exampleStore(rollbacks, ({ tx, run }) => ({
    findRollbackCandidates: () => rollbacks.findRollbackCandidates(tx, [run.id]),
    hasNewerRun: () => rollbacks.hasNewerRun(tx, run),
    findOutputsAfter: () => rollbacks.findOutputsAfter(tx, run.id),
  })),
  "sampling-store": exampleStore(samplings, (world) => {
    const { tx, at, run, workspace, id } = world;
    const verification = verificationOf(world);
    const pool = { id: id("runnerPool"), organizationId: run.organizationId, reserved: false };
    return {
      findDueSampling: () => samplings.findDueSampling(tx, { pool, labels: ["vpc"] }, "lease"),
      findRunOfVerification: () => samplings.findRunOfVerification(tx, verification.id),
      offerSamples: () => samplings.offerSamples(tx, verification.id, at),
      leaseSamples: async () => {
        await world.prepare(verifications.insertVerification(tx, verification));
        return samplings.leaseSamples(tx, verification.id, { leaseId: "lease", until: LATER, probes: [] });
      },
      recordSamples: () => samplings.recordSamples(tx, verification.id, { probes: [], baselinePassed: true }),
      noteProbesOffered: () => samplings.noteProbesOffered(tx, id("runner"), at),
      findSamplingRunners: () => samplings.findSamplingRunners(tx, workspace.id, at),
    };
  }),
  "verification-store": exampleStore(verifications, (world) => {
    const { tx, at, run } = world;
    const verification = verificationOf(world);
    const lease = { by: "server", at: LATER, until: LATER };
    return {
      insertVerification: () => verifications.insertVerification(tx, verification),
      lockVerification: () => verifications.lockVerification(tx, run.id),
      updateVerification: () => verifications.updateVerification(tx, verification, LATER),
      hastenVerification: () => verifications.hastenVerification(tx, run.id, at),
      leaseVerifications: () => verifications.leaseVerifications(tx, lease, 4),
      releaseVerifications: () => verifications.releaseVerifications(tx, "server"),
      findNextVerification: () => verifications.findNextVerification(tx, at),
      findVerifications: () => verifications.findVerifications(tx, [verification.id]),
      findVerificationsOfRuns: () => verifications.findVerificationsOfRuns(tx, [run.id]),
      setRequiredProbes: () =>
        verifications.setRequiredProbes(tx, verification.id, [{ name: "web", digest: "digest" }]),
      setRollbackDone: () => verifications.setRollbackDone(tx, verification.id),
      deleteVerification: () => verifications.deleteVerification(tx, run.id),
    };
  }),
};

import { type Hook, hooksOfLeg } from "../../model/workspace/hook.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { EngineVersion } from "../../model/plan/plan.ts";
import { isStateRollback, plannedBy, type Run } from "../../model/run/run.ts";
import { isApplyLeg, type RunKind, type RunLeg } from "../../model/lifecycle/run-kind.ts";
import type { TestMode } from "../../model/workspace/test-mode.ts";
import type { UnlockOrder } from "../../model/workspace/unlock-order.ts";
import type { Variable, Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { getJobInput, insertJob, type JobRow } from "../../persistence/dispatch/job-store.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { findNewestPlan } from "../../persistence/plan/plan-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import { findWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { documentKey } from "../policy/plan-document.ts";
import { openRunVariables } from "../variables/run-variables.ts";
import { workspaceSecrets } from "../variables/workspace-secrets.ts";
import { readUnlockOrder } from "../workspace/break-locks.ts";
import { jobToken, runToken } from "../token/credentials.ts";
import { runMasks } from "../variables/run-secrets.ts";

/** The input of a runner for one leg of one run. */
export interface ClaimedJob {
  id: string;
  token: string;
  /** The token with which the run acts on the API; `null` if its workspace has no grants. */
  runToken: string | null;
  /** The key for digests of sensitive values in the document of the plan; `null` if the leg makes no plan. */
  documentKey: string | null;
  run: { id: string; number: number; kind: RunKind };
  workspace: { id: string; name: string; organization: string };
  leg: RunLeg;
  leaseMs: number;
  heartbeatMs: number;
  nextLine: number;
  logBytes: number;
  targets: string[];
  replace: string[];
  refreshOnly: boolean;
  variables: Variable[];
  secrets: string[];
  /** The SHA-256 of the source archive, in hexadecimal; `null` if the leg needs no source. */
  source: { digest: string } | null;
  /** The folder of the source in which the engine runs; `.` is its root. */
  workFolder: string;
  stateSerial: number;
  plan: { version: number; digest: string; engine: EngineVersion } | null;
  command: string | null;
  rollback: boolean;
  unlock: UnlockOrder | null;
  hooks: Hook[];
  tests: TestMode;
}

/** Creates a lease on a run. The run must have no other live job. */
export async function startJob(
  tx: Transaction,
  deps: Pick<Deps, "clock" | "newId">,
  run: Pick<Run, "id" | "organizationId" | "workspaceId">,
  lease: Pick<JobRow, "claimId" | "leg" | "attempt" | "runnerId" | "leaseMs">,
): Promise<JobRow> {
  const now = deps.clock();
  const job = {
    ...lease,
    id: deps.newId("job"),
    runId: run.id,
    organizationId: run.organizationId,
    workspaceId: run.workspaceId,
    claimedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + lease.leaseMs).toISOString(),
  };
  await insertJob(tx, job);
  return { ...job, endedAt: null, messageSequence: 0, messageDigest: null, archiveBlobId: null };
}

/** The run of a job and its workspace, as the transaction that started the job has read them. */
export interface KnownOfJob {
  run: Run;
  workspace: Workspace;
  organizationSlug: string;
}

/** Returns a job in the form that its runner receives, with the newest plan of the run. */
export async function describeJob(deps: Deps, job: JobRow, known?: KnownOfJob): Promise<ClaimedJob> {
  const { database, cipher } = deps;
  const { run, workspace, organizationSlug } = known ?? (await readKnown(deps, job));
  const input = await getJobInput(database, run.id);
  const plan = isApplyLeg(job.leg) ? await findNewestPlan(database, plannedBy(run)) : null;
  return {
    id: job.id,
    token: jobToken(cipher, job.id),
    runToken: input.hasGrants ? runToken(cipher, job.id) : null,
    documentKey: job.leg === "PLAN" || job.leg === "REPLAN" ? documentKey(cipher, run.id) : null,
    run: { id: run.id, number: run.number, kind: run.kind },
    workspace: { id: workspace.id, name: workspace.name, organization: organizationSlug },
    leg: job.leg,
    leaseMs: job.leaseMs,
    heartbeatMs: Math.min(LIMITS.heartbeatMs, Math.floor(job.leaseMs / 3)),
    nextLine: input.lastLine + 1,
    logBytes: input.logBytes,
    targets: run.targets,
    replace: run.replace,
    refreshOnly: run.refreshOnly,
    variables: openRunVariables(deps, run.id, input.variablesSealed),
    secrets: [
      ...(await workspaceSecrets(database, deps, job.workspaceId)),
      ...(await runMasks(database, deps, run.id)),
    ],
    source: input.sourceDigest === null ? null : { digest: input.sourceDigest },
    workFolder: input.workFolder,
    stateSerial: workspace.stateSerial,
    plan: plan === null ? null : { version: plan.version, digest: plan.digest, engine: plan.engine },
    command: run.command,
    rollback: isStateRollback(run),
    unlock: run.kind === "UNLOCK" ? await readUnlockOrder(database, workspace) : null,
    hooks: hooksOfLeg(input.hooks, run.kind, job.leg),
    tests: testsOf(run, job.leg, workspace),
  };
}

/** Plans of changes are tested. Checks for drift are about the infrastructure, and a destroy needs no tests. */
function testsOf({ kind, trigger }: Run, leg: RunLeg, { tests }: Workspace): TestMode {
  const isTested = (kind === "DEPLOY" || kind === "PLAN") && trigger !== "DRIFT" && !isApplyLeg(leg);
  return isTested ? tests : "OFF";
}

async function readKnown({ database }: Deps, job: JobRow): Promise<KnownOfJob> {
  const run = await findRun(database, job.runId);
  const workspace = await findWorkspace(database, job.workspaceId);
  const [organization = null] = await findOrganizations(database, [job.organizationId]);
  if (run === null || workspace === null || organization === null) {
    throw new Error(`The run ${job.runId}, or its workspace, does not exist.`);
  }
  return { run, workspace, organizationSlug: organization.slug };
}

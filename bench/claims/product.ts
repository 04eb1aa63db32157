/** Runners of the product, in this process: what they do is what their requests do, without the HTTP around it. */
import { randomUUID } from "node:crypto";
import { createJobs, type Jobs } from "../../src/domain/job/jobs.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";
import { NOTHING_JUDGED } from "../../src/domain/creation/creation-policies.ts";
import { queueRun } from "../../src/domain/lifecycle/queue-run.ts";
import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID } from "../../src/model/people/actor.ts";
import { rightsOf } from "../../src/model/people/rights.ts";
import { permissionsOf } from "../../src/model/people/role.ts";
import type { RunnerCaller, ActorCaller } from "../../src/model/people/permission.ts";
import { lockKeptWorkspace } from "../../src/persistence/workspace/workspace-store.ts";
import { sourceOf } from "./seed.ts";

const RUNNER: RunnerCaller = { type: "runner", poolId: null };
const ADMIN: ActorCaller = {
  type: "actor",
  credential: "TOKEN",
  credentialId: ADMIN_TOKEN_ID,
  actor: { id: ADMIN_ACTOR_ID, kind: "USER", name: "admin" },
  rights: rightsOf([{ permissions: permissionsOf("ADMIN"), scope: { type: "installation" } }]),
  accessVersion: { version: 1, moves: 1 },
};

export interface Worked {
  readonly count: number;
  readonly seconds: number;
  /** Claims by the slug of the organization. */
  readonly claims: ReadonlyMap<string, number>;
}

/** When runners stop: after a time, or when so many cycles were begun. */
export type Extent = { readonly ms: number } | { readonly cycles: number };

/** So many runners claim a run, end it as failed, and queue another one in its workspace. */
export async function work(deps: Deps, runners: number, extent: Extent): Promise<Worked> {
  const jobs = createJobs(deps);
  const claims = new Map<string, number>();
  const started = performance.now();
  let begun = 0;
  const goesOn = (): boolean => ("ms" in extent ? performance.now() - started < extent.ms : begun++ < extent.cycles);
  await Promise.all(
    Array.from({ length: runners }, async (_, runner) => {
      while (goesOn()) {
        const organization = await cycle(deps, jobs, `runner-${runner}`);
        if (organization !== null) claims.set(organization, (claims.get(organization) ?? 0) + 1);
      }
    }),
  );
  const count = [...claims.values()].reduce((sum, one) => sum + one, 0);
  return { count, seconds: (performance.now() - started) / 1000, claims };
}

/** Gives the organization whose run it had, null where there was nothing to claim. */
async function cycle(deps: Deps, jobs: Jobs, name: string): Promise<string | null> {
  const claimed = await jobs.claim(RUNNER, {
    claimId: randomUUID(),
    runner: { name, version: "0", instance: "process", labels: [], slots: 1, draining: false },
  });
  if (!("job" in claimed)) return null;
  const { id: jobId, run, leg, workspace } = claimed.job;
  await jobs.report(
    { type: "job", jobId, kind: run.kind, leg, runId: run.id },
    {
      sequence: 1,
      type: "failed",
      failure: { code: "PLAN_FAILED", summary: "It failed.", message: "It failed.", evidence: [] },
    },
  );
  await enqueue(deps, workspace.id);
  return workspace.organization;
}

/** A run as a trigger makes it, of a source that is there already. */
async function enqueue(deps: Deps, workspaceId: string): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const workspace = await lockKeptWorkspace(tx, workspaceId);
    if (workspace === null) throw new Error(`${workspaceId} is gone.`);
    await queueRun(tx, deps, ADMIN, workspace, {
      kind: "DEPLOY",
      trigger: "API",
      message: null,
      revision: null,
      targets: [],
      replace: [],
      refreshOnly: false,
      command: null,
      metadata: {},
      priority: 0,
      scheduledAt: null,
      originId: null,
      planRunId: null,
      planVersion: 0,
      source: { blobId: sourceOf(workspaceId), workFolder: ".", inputsDigest: null, commitUrl: null },
      createdAt: deps.clock().toISOString(),
      policies: NOTHING_JUDGED,
      variables: null,
      hooks: null,
    });
  });
}

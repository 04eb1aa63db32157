/** Runs by the shortest way through the domain, and a runner that takes and ends them: for tests of who is next. */
import { randomUUID } from "node:crypto";
import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID } from "../../src/model/people/actor.ts";
import type { ActorCaller } from "../../src/model/people/permission.ts";
import type { Run } from "../../src/model/run/run.ts";
import type { RunKind } from "../../src/model/lifecycle/run-kind.ts";
import type { ClaimedJob } from "../../src/domain/job/leased-job.ts";
import { NOTHING_JUDGED } from "../../src/domain/creation/creation-policies.ts";
import { queueRun } from "../../src/domain/lifecycle/queue-run.ts";
import { type PreparedSource, prepareSource, storeSource } from "../../src/domain/source/prepare-source.ts";
import { findWorkspace, lockWorkspaceRow } from "../../src/persistence/workspace/workspace-store.ts";
import type { RunnerChoice } from "../../src/domain/workspace/runner-choice.ts";
import type { InProcess } from "./in-process.ts";
import { RUNNER_SELF } from "./fake-runner.ts";
import { rightsOfRole } from "./rights.ts";

export const ADMIN: ActorCaller = {
  type: "actor",
  credential: "TOKEN",
  credentialId: ADMIN_TOKEN_ID,
  actor: { id: ADMIN_ACTOR_ID, kind: "MACHINE", name: "admin" },
  rights: rightsOfRole("ADMIN"),
  accessVersion: { version: 1, moves: 1 },
};

export interface Line {
  addWorkspace(runners?: RunnerChoice): Promise<string>;
  queue(workspaceId: string, kind?: RunKind, priority?: number): Promise<Run>;
  /** null: there is nothing to take. Without a secret: as a runner that all organizations share. */
  claim(claimId?: string, secret?: string): Promise<ClaimedJob | null>;
  /** Ends a job that nothing was done in: its run fails, or waits again. */
  end(job: ClaimedJob, how?: "failed" | "handedBack"): Promise<void>;
}

const FAILURE = { code: "INIT_FAILED", summary: "It failed.", message: "It failed.", evidence: [] } as const;

export async function openLine(server: InProcess): Promise<Line> {
  const { domain, deps, jobs } = server;
  const path = await server.makeSource("line", { "main.tf": "" });
  let count = 0;
  const sources = new Map<string, Promise<PreparedSource>>();
  return {
    async addWorkspace(runners = {}) {
      const { id } = await domain.createWorkspace(ADMIN, {
        projectId: null,
        organization: "default",
        name: `line${++count}`,
        description: null,
        source: { directory: { path } },
        planApproval: "ALWAYS",
        autoApply: "NEVER",
        ...runners,
      });
      return id;
    },
    async queue(workspaceId, kind = "DEPLOY", priority = 0) {
      const workspace = await findWorkspace(deps.database, workspaceId);
      if (workspace === null) throw new Error(`There is no workspace ${workspaceId}.`);
      const prepared = sources.get(workspaceId) ?? prepareSource(deps, workspace);
      sources.set(workspaceId, prepared);
      const source = await prepared;
      return deps.database.transaction(async (tx) =>
        queueRun(tx, deps, ADMIN, await lockWorkspaceRow(tx, workspaceId), {
          kind,
          trigger: "API",
          message: null,
          revision: source.revision,
          targets: [],
          replace: [],
          refreshOnly: false,
          command: null,
          metadata: {},
          priority,
          scheduledAt: null,
          originId: null,
          planRunId: null,
          planVersion: 0,
          source: await storeSource(tx, deps, workspaceId, source),
          createdAt: deps.clock().toISOString(),
          policies: NOTHING_JUDGED,
          variables: [],
          hooks: [],
        }),
      );
    },
    async claim(claimId = randomUUID(), secret = server.runnerToken) {
      const runner = await jobs.authenticateRunner(secret);
      if (runner === null) throw new Error("The runner is not let in.");
      const found = await jobs.claim(runner, { claimId, runner: { ...RUNNER_SELF, name: "line", slots: 4 } });
      return "job" in found ? found.job : null;
    },
    async end(job, how = "failed") {
      const caller = await jobs.authenticateJob(job.token);
      if (caller === null) throw new Error(`The job ${job.id} is not known.`);
      const message = how === "failed" ? { type: how, failure: { ...FAILURE, evidence: [] } } : { type: how };
      await jobs.report(caller, { sequence: 1, ...message });
    },
  };
}

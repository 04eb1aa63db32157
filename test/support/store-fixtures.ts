import { defaultProjectId } from "../../src/model/people/project-tree.ts";
import { randomBytes } from "node:crypto";
import { SYSTEM_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { createIds, type NewId } from "../../src/model/kit/id.ts";
import type { PhaseKind } from "../../src/model/run/phase.ts";
import type { Run } from "../../src/model/run/run.ts";
import type { RunEvent } from "../../src/model/run/run-event.ts";
import { FIRST_LEG, type RunKind } from "../../src/model/lifecycle/run-kind.ts";
import { isTerminal, type RunStatus } from "../../src/model/lifecycle/run-status.ts";
import type { Workspace } from "../../src/model/workspace/workspace.ts";
import { insertBlob } from "../../src/persistence/blob/blob-store.ts";
import { type Cipher, createCipher } from "../../src/persistence/installation/cipher.ts";
import { type Database, openDatabase } from "../../src/persistence/database/database.ts";
import type { PostgresConnection } from "../../src/persistence/embedded/embedded-postgres.ts";
import { insertJob } from "../../src/persistence/dispatch/job-store.ts";
import { createNotifier } from "../../src/persistence/database/notifier.ts";
import { insertRun } from "../../src/persistence/run/run-store.ts";
import { type RunChanges, updateRun } from "../../src/persistence/run/run-change-store.ts";
import { seeRunner } from "../../src/persistence/runner/runner-store.ts";
import { insertWorkspace } from "../../src/persistence/workspace/workspace-store.ts";
import { createTestDatabase } from "./database.ts";
import { RUNNER_SELF } from "./fake-runner.ts";

/** The instant at which everything that the fixtures make is made. */
export const AT = "2026-01-02T03:04:05.678Z";

/** A database of its own with the stores' admissionConditions, and short ways to rows that a test needs but is not about. */
export interface Stores extends AsyncDisposable {
  readonly connection: PostgresConnection;
  readonly database: Database;
  readonly cipher: Cipher;
  /** Ids in the order of their making. */
  readonly newId: NewId;
  addWorkspace(name?: string): Promise<Workspace>;
  addBlob(workspaceId: string, body?: Buffer): Promise<string>;
  /** A run that is QUEUED, with its first event and an empty log. */
  addRun(workspace: Workspace, kind?: RunKind): Promise<Run>;
  /** Moves a run to another status, with the event of that change. */
  move(run: Run, status: RunStatus, changes?: RunChanges): Promise<Run>;
  /** The first attempt of a phase that is running; gives its id. */
  addPhase(runId: string, kind: PhaseKind, runnerId?: string): Promise<string>;
  /** A runner that all organizations share; gives its id. */
  addRunner(name: string): Promise<string>;
  /** A lease on the run, held by a runner that is made for it. */
  addJob(run: Run, expiresAt?: string, claimedAt?: string): Promise<string>;
}

/** Errors of idle connections fail the test that is running. */
function fail(error: Error): never {
  throw error;
}

export async function openStores(): Promise<Stores> {
  const test = await createTestDatabase();
  const { connection } = test;
  const notifier = createNotifier(connection, fail);
  const database = openDatabase(connection, { notifier, onError: fail });
  const cipher = createCipher(randomBytes(32));
  let ticks = Date.parse(AT);
  const newId = createIds(() => new Date(ticks++), randomBytes);

  async function addBlob(workspaceId: string, body = randomBytes(16)): Promise<string> {
    const id = newId("blob");
    await database.transaction((tx) =>
      insertBlob(tx, cipher, { id, kind: "ARCHIVE", workspaceId, body, createdAt: AT }),
    );
    return id;
  }

  async function addRunner(name: string): Promise<string> {
    const seen = await seeRunner(database, { ...RUNNER_SELF, id: newId("runner"), name, at: AT });
    if (typeof seen === "string") throw new Error(`The runner ${name} is not let in: ${seen}`);
    return seen.id;
  }

  return {
    connection,
    database,
    cipher,
    newId,
    addBlob,
    addRunner,
    addWorkspace(name = `w${ticks}`) {
      return database.transaction((tx) =>
        insertWorkspace(tx, {
          id: newId("workspace"),
          organizationId: DEFAULT_ORGANIZATION_ID,
          projectId: defaultProjectId(DEFAULT_ORGANIZATION_ID),
          name,
          description: null,
          source: { type: "directory", path: "/srv/infra" },
          planApproval: "ALWAYS",
          autoApply: "NEVER",
          createdAt: AT,
        }),
      );
    },
    async addRun(workspace, kind = "DEPLOY") {
      const blobId = await addBlob(workspace.id);
      return database.transaction((tx) =>
        insertRun(tx, {
          id: newId("run"),
          organizationId: workspace.organizationId,
          projectId: workspace.projectId,
          workspaceId: workspace.id,
          kind,
          leg: FIRST_LEG[kind],
          trigger: "MANUAL",
          actingRunId: null,
          requestedByIds: [],
          createdById: SYSTEM_ACTOR_ID,
          message: null,
          revision: null,
          targets: [],
          replace: [],
          refreshOnly: false,
          command: kind === "TASK" ? "true" : null,
          metadata: {},
          priority: 0,
          scheduledAt: null,
          originId: null,
          planRunId: null,
          planVersion: 0,
          createdAt: AT,
          source: { blobId, workFolder: ".", inputsDigest: null, commitUrl: null },
          variablesSealed: Buffer.of(1),
        }),
      );
    },
    async addPhase(runId, kind, runnerId) {
      const id = newId("phase");
      const phase = {
        id,
        run_id: runId,
        kind,
        attempt: 1,
        status: "RUNNING",
        runner_id: runnerId ?? null,
        started_at: AT,
      };
      await database.sql.insertInto("phase").values(phase).execute();
      return id;
    },
    move(run, status, changes = {}) {
      const version = run.version + 1;
      return database.transaction(async (tx) => {
        const set = {
          status: { to: status, version, at: AT },
          ...(isTerminal(status) && { finishedAt: AT, holdsWorkspace: false }),
          ...changes,
        };
        return updateRun(tx, run, set, [statusChanged(run.id, version, run.status, status)]);
      });
    },
    async addJob(run, expiresAt = AT, claimedAt = AT) {
      const id = newId("job");
      const runnerId = await addRunner(`runner of ${id}`);
      const { organizationId, workspaceId, leg } = run;
      const lease = { claimId: `claim of ${id}`, attempt: 1, runnerId, claimedAt, expiresAt, leaseMs: 30_000 };
      await database.transaction((tx) =>
        insertJob(tx, { id, runId: run.id, organizationId, workspaceId, leg, ...lease }),
      );
      return id;
    },
    async [Symbol.asyncDispose]() {
      await notifier[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}

export function statusChanged(runId: string, version: number, from: RunStatus | null, to: RunStatus): RunEvent {
  return { type: "STATUS_CHANGED", runId, version, at: AT, actorId: SYSTEM_ACTOR_ID, from, to, reason: null };
}

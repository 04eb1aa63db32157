import type { JobCaller } from "../../model/people/permission.ts";
import { withSerial } from "../../model/state/state-serial.ts";
import { findJob } from "../../persistence/dispatch/job-store.ts";
import { findNewestState } from "../../persistence/state/state-store.ts";
import { findStateRollbacks } from "../../persistence/state/state-version-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readStateBytes } from "../state/read-state-bytes.ts";
import { authorizeJob } from "./job-access.ts";
import { JobError, jobOver } from "./job-error.ts";

/** Reads the state that a rollback restores, with the serial after the current one: the engine accepts no other. */
export async function readRollbackState(deps: Deps, caller: JobCaller): Promise<AsyncIterable<Buffer>> {
  authorizeJob(caller, "rollback:read");
  const { database } = deps;
  const job = await findJob(database, caller.jobId);
  if (job === null || job.endedAt !== null) throw jobOver();
  const [rollback = null] = await findStateRollbacks(database, [job.runId]);
  if (rollback === null) throw new JobError("MALFORMED", "This run does not roll back a state.");
  const newest = await findNewestState(database, job.workspaceId);
  const body = withSerial(await readStateBytes(deps, rollback.stateVersionId), (newest?.serial ?? 0) + 1);
  if (body === null) throw new JobError("MALFORMED", `The state ${rollback.stateVersionId} has no serial.`);
  return inOnePiece(body);
}

async function* inOnePiece(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}

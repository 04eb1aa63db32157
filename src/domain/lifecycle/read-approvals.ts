import type { Approval, Gate } from "../../model/approval/approval.ts";
import type { QuorumInput } from "../../model/approval/quorum.ts";
import { plannedBy, type Run } from "../../model/run/run.ts";
import { listApprovals } from "../../persistence/approval/approval-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { type GatedRun, quorumInput } from "./quorum-input.ts";

/** Returns the approvals of each run and of its PLAN run, oldest first. */
export async function readApprovals(reader: Reader, runs: readonly Run[]): Promise<Approval[][]> {
  const ids = runs.map((run) => [...new Set([plannedBy(run), run.id])]);
  const found = await listApprovals(reader, [...new Set(ids.flat())]);
  const byRun = Map.groupBy(found.flat(), ({ runId }) => runId);
  return ids.map((each) => each.flatMap((id) => byRun.get(id) ?? []));
}

/** Reads the input of the quorum functions for a locked run. */
export async function readQuorumInput(reader: Reader, locked: GatedRun, gate: Gate): Promise<QuorumInput> {
  const [approvals = []] = await readApprovals(reader, [locked.run]);
  return quorumInput(locked, gate, approvals);
}

/** A state of a workspace as it was kept at some time. */
export interface StateVersion {
  id: string;
  organizationId: string;
  workspaceId: string;
  /** Counts up within the workspace; by steps that the engine decides. */
  serial: number;
  lineage: string;
  /** The run that made it; null where a person brought it. */
  runId: string | null;
  /** The person who brought it, or the creator of its run. */
  actorId: string;
  createdAt: string;
  /** In bytes. */
  size: number;
  /** SHA-256 (hex) of its bytes. */
  digest: string;
  /** Data sources not counted; null if they were not counted. */
  resourceCount: number | null;
  isCurrent: boolean;
}

/** DOWNLOAD: by its address. BACKEND: by an engine that a person runs. */
export const STATE_WAYS = ["DOWNLOAD", "BACKEND"] as const;
export type StateWay = (typeof STATE_WAYS)[number];

/** A reading of a state by a person, with all of its secrets. */
export interface StateReading {
  actorId: string;
  way: StateWay;
  at: string;
}

/** The version that a run brings back, and the serial of the state that its approvers were asked about. */
export interface StateRollback {
  stateVersionId: string;
  stateSerial: number;
}

interface Described {
  id: string;
  serial: number;
  createdAt: string;
  resourceCount: number | null;
}

/** Describes a rollback for its approvers. Instants are cut to seconds. */
export function describeRollback(to: Described, current: Pick<Described, "serial">): string {
  const count = to.resourceCount === null ? "" : `, ${to.resourceCount} resource${to.resourceCount === 1 ? "" : "s"}`;
  const from = `serial ${to.serial} of ${to.createdAt.slice(0, 19)}Z${count}`;
  return `state push ${to.id} (${from}), in place of serial ${current.serial}`;
}

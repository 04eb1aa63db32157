/** A state of a workspace as it was kept at some time. */
export interface StateVersion {
  id: string;
  organizationId: string;
  workspaceId: string;
  /** Counts up within the workspace; the engine says by how much. */
  serial: number;
  lineage: string;
  /** The run that made it; null where a person brought it. */
  runId: string | null;
  /** Who brought it, or whose run it was. */
  actorId: string;
  createdAt: string;
  /** In bytes. */
  size: number;
  /** SHA-256 (hex) of its bytes. */
  digest: string;
  /** Data sources not counted; null where nobody counted. */
  resourceCount: number | null;
  isCurrent: boolean;
}

/** DOWNLOAD: by its address. BACKEND: by an engine that somebody runs by hand. */
export const STATE_WAYS = ["DOWNLOAD", "BACKEND"] as const;
export type StateWay = (typeof STATE_WAYS)[number];

/** That somebody took a state, with everything that is secret in it. */
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

/** What a run that brings a state back does, as whoever approves it reads it. Instants are cut to seconds. */
export function describeRollback(to: Described, current: Pick<Described, "serial">): string {
  const count = to.resourceCount === null ? "" : `, ${to.resourceCount} resource${to.resourceCount === 1 ? "" : "s"}`;
  const from = `serial ${to.serial} of ${to.createdAt.slice(0, 19)}Z${count}`;
  return `state push ${to.id} (${from}), in place of serial ${current.serial}`;
}

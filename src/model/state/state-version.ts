/** A stored version of a workspace's state. */
export interface StateVersion {
  id: string;
  organizationId: string;
  projectId: string;
  workspaceId: string;
  /** Increases within the workspace; the engine decides the steps. */
  serial: number;
  lineage: string;
  /** The run that made it; `null` if a person imported it. */
  runId: string | null;
  /** The person who imported it, or the creator of its run. */
  actorId: string;
  createdAt: string;
  /** The size in bytes. */
  size: number;
  /** The SHA-256 of its bytes, in hexadecimal. */
  digest: string;
  /** Without data sources; `null` if they were not counted. */
  resourceCount: number | null;
  isCurrent: boolean;
}

/** DOWNLOAD: as a file. BACKEND: by a person's own engine. COMPARISON: values of two versions that differ. */
export const STATE_WAYS = ["DOWNLOAD", "BACKEND", "COMPARISON"] as const;
export type StateWay = (typeof STATE_WAYS)[number];

/** A reading of a state by a person, which includes its secrets. */
export interface StateReading {
  actorId: string;
  /** The token or the session; `null` if it was not recorded. */
  credentialId: string | null;
  way: StateWay;
  at: string;
}

/** Returns the record of a reading. An item of a stream is made for all credentials of its actor: it has none. */
export function readingBy(
  { actor, credentialId }: { actor: { id: string }; credentialId: string },
  way: StateWay,
  at: Date,
): StateReading {
  return { actorId: actor.id, credentialId: credentialId === "" ? null : credentialId, way, at: at.toISOString() };
}

/** The version that a rollback restores, and the serial of the state that its approvers saw. */
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

/** Changesets: one change over many workspaces, with a run in each of them. */
import type { Place } from "../people/place.ts";
import type { RunCause } from "../run/run-cause.ts";
import type { RunKind, RunTrigger } from "../lifecycle/run-kind.ts";

/** The cause of a changeset. */
export const CHANGESET_SOURCES = [
  "DEPENDENCY",
  "INBOUND_HOOK",
  "MANUAL",
  "PROMOTION",
  "PULL_REQUEST",
  "PUSH",
  "SCHEDULE",
  "TAG",
] as const;
export type ChangesetSource = (typeof CHANGESET_SOURCES)[number];

/** The kinds of runs that a changeset may have. */
export const CHANGESET_KINDS = ["DEPLOY", "DESTROY", "PLAN", "TASK"] as const satisfies readonly RunKind[];
export type ChangesetKind = (typeof CHANGESET_KINDS)[number];

/** A changeset. Instants are RFC 3339 with milliseconds and Z. */
export interface Changeset {
  id: string;
  organizationId: string;
  source: ChangesetSource;
  title: string;
  /** The commit that its runs have; `null`: they have the sources of their workspaces. */
  commit: string | null;
  kind: ChangesetKind;
  trigger: RunTrigger;
  refreshOnly: boolean;
  /** The shell command of a TASK; `null` for other kinds. */
  command: string | null;
  priority: number;
  createdById: string;
  /** The token or the session under whose rights its runs are created; `null`: those of the system. */
  credentialId: string | null;
  createdAt: string;
  /** Since when the creation of its runs waits for a person, because there are so many; `null` if it does not. */
  heldAt: string | null;
  /** When all that had changes were applied; `null` if they are not, or none had any. */
  appliedAt: string | null;
  discardedAt: string | null;
  /** When its runs ended well, applied or without changes; `null` if they did not, or it deploys nothing. */
  passedAt: string | null;
  /** The changeset of the stage before, whose commits it promotes; `null` if it is no promotion. */
  originId: string | null;
}

/** A source that was stored before. */
export interface MemberSource {
  blobId: string;
  /** The folder of the source in which the engine runs. */
  workFolder: string;
  /** The digest of what is read; `null` if the source is no repository. */
  inputsDigest: string | null;
  /** The address of the page of its commit; `null` if there is none. */
  commitUrl: string | null;
  revision: string | null;
  /** The run whose variables come with it; absent or `null`: those of the workspace are used. */
  variablesOfRunId?: string | null;
}

/** One workspace of a changeset. */
export interface ChangesetMember {
  changesetId: string;
  workspaceId: string;
  /** Members of later waves wait for those of earlier ones. From 0. */
  wave: number;
  cause: RunCause | null;
  /** The source that its runs have; `null`: that of the workspace when the run is created. */
  source: MemberSource | null;
  /** The earliest admission of its runs. */
  scheduledAt: string | null;
  /** Why its run is SKIPPED; `null` if it is not. */
  skipReason: string | null;
  /** Whether it is a member only because it depends on others. */
  isByEdge: boolean;
}

/** Counts of the members of a changeset that a caller may see, by their standings (`MemberStanding`). */
export interface ChangesetFigures {
  workspaces: number;
  /** Members without a run yet. */
  uncreated: number;
  /** Members whose run ended, or that get none. */
  ended: number;
  failed: number;
  /** Members whose run was discarded, rejected, cancelled, superseded, or stopped before it applied. */
  unwanted: number;
  applied: number;
  planned: number;
  noChanges: number;
  skipped: number;
  /** Members whose run waits at a gate. */
  waiting: number;
  /** Members whose run is approved, or being applied. */
  approved: number;
  additions: number;
  changes: number;
  destructions: number;
  /** Grows whenever a member has another run or another plan. */
  version: number;
  /** The digest over the newest plans of its runs; `null` before the first plan. */
  planDigest: string | null;
  /** When the last of its runs ended; `null` if none did. */
  lastEndedAt: string | null;
  /** The newest changeset whose runs superseded those of its members; `null` if there is none. */
  supersededById: string | null;
}

/** A changeset as a caller sees it. */
export interface SeenChangeset extends Changeset {
  figures: ChangesetFigures;
  /** The place of one of the members. */
  place: Place;
  /** The change of a ref that opened it; `null` if another cause did. */
  refChangeId: string | null;
}

/** The members of one wave that a caller may see. */
export interface ChangesetWave {
  index: number;
  total: number;
  ended: number;
  failed: number;
}

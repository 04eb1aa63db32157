import type { MetadataEntry } from "./metadata-entry.ts";
import type { BlockerKind } from "../../model/admission/blocker-kind.ts";
import type { DialectFilter } from "../../model/lifecycle/dialect-filter.ts";
import type { RunKind, RunOutcome, RunTrigger } from "../../model/lifecycle/run-kind.ts";
import type { RequiredAction, RunStatus } from "../../model/lifecycle/run-status.ts";

/** A filter of runs. Given fields are joined by AND; an empty list matches nothing. */
export interface RunFilter {
  organizationId?: string;
  workspaceId?: string;
  /** Their workspaces have all of these labels. */
  labels?: readonly string[];
  changesetId?: string;
  /** A part of the message or of the name of the workspace, without regard to case. */
  search?: string;
  workspaceIds?: readonly string[];
  /** A part of the name of the workspace, without regard to case. */
  workspaceSearch?: string;
  createdByIds?: readonly string[];
  outcomes?: readonly RunOutcome[];
  /** The least number of resources that the newest plan destroys. */
  minDestructions?: number;
  /** The actions that the runs require of a person. */
  requiredActions?: readonly RequiredAction[];
  /** The kinds of blockers for which the runs wait. */
  blockerKinds?: readonly BlockerKind[];
  /** RFC 3339, exclusive. */
  endedAfter?: string;
  statuses?: readonly RunStatus[];
  kinds?: readonly RunKind[];
  triggers?: readonly RunTrigger[];
  /** Whether the runs wait for a person at a gate. */
  needsApproval?: boolean;
  /** RFC 3339, exclusive. */
  createdAfter?: string;
  createdBefore?: string;
  /** Matches runs that have all of these entries. */
  metadata?: readonly MetadataEntry[];
  /** Statuses and kinds in the terms of another product. */
  dialect?: DialectFilter;
}

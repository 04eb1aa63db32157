import type { MetadataEntry } from "../kit/metadata-entry.ts";
import type { DialectFilter } from "../../model/lifecycle/dialect-filter.ts";
import type { RunKind, RunTrigger } from "../../model/lifecycle/run-kind.ts";
import type { RunStatus } from "../../model/lifecycle/run-status.ts";
/** Given fields are joined by AND; an empty list matches nothing. */
export interface RunFilter {
  organizationId?: string;
  workspaceId?: string;
  statuses?: readonly RunStatus[];
  kinds?: readonly RunKind[];
  triggers?: readonly RunTrigger[];
  /** Whether they wait for a person at a gate. */
  needsApproval?: boolean;
  /** Instants, exclusive. */
  createdAfter?: string;
  createdBefore?: string;
  /** Runs that have all of these. */
  metadata?: readonly MetadataEntry[];
  /** In the words of other products. */
  dialect?: DialectFilter;
}

import type { Selectable } from "kysely";
import { type Changeset, CHANGESET_KINDS, CHANGESET_SOURCES } from "../../model/changeset/changeset.ts";
import { RUN_TRIGGERS } from "../../model/lifecycle/run-kind.ts";
import { word } from "../database/closed-set.ts";
import type { Tables } from "../database/tables.ts";

/** A row of changesets. */
export type ChangesetRow = Selectable<Tables["changeset"]>;

export function toChangeset(row: ChangesetRow): Changeset {
  return {
    id: row.id,
    organizationId: row.organization_id,
    source: word(CHANGESET_SOURCES, row.source),
    title: row.title,
    commit: row.commit,
    kind: word(CHANGESET_KINDS, row.kind),
    trigger: word(RUN_TRIGGERS, row.trigger),
    refreshOnly: row.refresh_only,
    command: row.command,
    priority: row.priority,
    createdById: row.created_by,
    credentialId: row.credential_id,
    createdAt: row.created_at,
    heldAt: row.held_at,
    appliedAt: row.applied_at,
    discardedAt: row.discarded_at,
    passedAt: row.passed_at,
    originId: row.origin_id,
  };
}

import type { SeenChangeset } from "../changeset/changeset.ts";
import { appliedAtOf } from "../changeset/changeset-state.ts";
import type { Actor } from "../people/actor.ts";
import type { Organization } from "../workspace/workspace.ts";
import { actorData, organizationData, short } from "./webhook-message.ts";

/** Builds the data of a changeset that is applied. It has counts and no names of workspaces. */
export function changesetData(
  organization: Pick<Organization, "id" | "slug" | "name">,
  { changeset, createdBy }: { changeset: SeenChangeset; createdBy: Actor | null },
): object {
  const { id, source, kind, title, commit, createdAt, figures } = changeset;
  const { workspaces, applied, noChanges, skipped, additions, changes, destructions } = figures;
  const about = { id, source, kind, title: short(title), commit, createdAt, appliedAt: appliedAtOf(changeset) };
  return {
    organization: organizationData(organization),
    changeset: { ...about, createdBy: actorData(createdBy) },
    counts: { workspaces, applied, noChanges, skipped, additions, changes, destructions },
  };
}

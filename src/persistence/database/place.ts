import type { Placed } from "../../model/people/grant.ts";

/** The columns of the place of a run, for rows that belong to it. */
export const PLACE_OF_RUN = ["run.organization_id", "run.workspace_id"] as const;

/** Adds the place of its row to an entity. */
export function withPlace<Entity>(
  entity: Entity,
  { organization_id, workspace_id }: { organization_id: string; workspace_id: string | null },
): Placed<Entity> {
  return { ...entity, organizationId: organization_id, workspaceId: workspace_id };
}

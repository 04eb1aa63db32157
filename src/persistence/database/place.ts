import type { Placed } from "../../model/people/place.ts";
import type { PlaceColumns } from "./scope.ts";
import { inOrder } from "./group.ts";

/** The columns of the place of a run, for rows that belong to it. */
export const PLACE_OF_RUN = ["run.organization_id", "run.project_id", "run.workspace_id"] as const;
/** Those columns by their parts, for the condition that the run lies within a scope. */
export const SCOPE_OF_RUN = {
  organization: "run.organization_id",
  project: "run.project_id",
  workspace: "run.workspace_id",
} as const satisfies PlaceColumns;

interface PlaceRow {
  organization_id: string;
  project_id: string | null;
  workspace_id: string | null;
}

/** Adds the place of its row to an entity. */
export function withPlace<Entity>(
  entity: Entity,
  { organization_id, project_id, workspace_id }: PlaceRow,
): Placed<Entity> {
  return { ...entity, organizationId: organization_id, projectId: project_id, workspaceId: workspace_id };
}

/** Turns rows into entities with their places: one per id, in the order of the ids. */
export function placedInOrder<Row extends PlaceRow, Entity extends { id: string }>(
  ids: readonly string[],
  rows: readonly Row[],
  toEntity: (row: Row) => Entity,
): (Placed<Entity> | null)[] {
  const placed = rows.map((row) => withPlace(toEntity(row), row));
  return inOrder(ids, placed, ({ id }) => id);
}

/**
 * The place of an object in the tree of installation, organization, project and workspace, at which a permission is
 * checked. It ends where the others are `null`; all are `null` for the installation.
 */
export interface Place {
  readonly organizationId: string | null;
  readonly projectId: string | null;
  readonly workspaceId: string | null;
}

/** The places of something that concerns several workspaces: a permission is asked for at one of them, or at all. */
export interface Places {
  readonly of: "ONE" | "ALL";
  readonly places: readonly Place[];
}

/** Returns the place at which something is visible, the first of several; `null` if it is not visible. */
export function visiblePlace(place: Place | Places, isVisible: (place: Place) => boolean): Place | null {
  if (!("places" in place)) return isVisible(place) ? place : null;
  const { of, places } = place;
  const seen = of === "ONE" || places.every(isVisible) ? places.find(isVisible) : undefined;
  return seen ?? null;
}

/** An entity together with its place. */
export type Placed<Entity> = Entity & Place;

export const INSTALLATION: Place = { organizationId: null, projectId: null, workspaceId: null };

/** Returns the place of an entity alone, so that keeping it does not keep the entity. */
export function placeOf({ organizationId, projectId, workspaceId }: Place): Place {
  return { organizationId, projectId, workspaceId };
}

/** Returns the place of an organization and of the objects that belong to it as a whole. */
export function organizationPlace({ id }: { id: string }): Place {
  return { organizationId: id, projectId: null, workspaceId: null };
}

/** Returns the place of a project. */
export function projectPlace({ id, organizationId }: { id: string; organizationId: string }): Place {
  return { organizationId, projectId: id, workspaceId: null };
}

/** Returns the place of a workspace. */
export function workspacePlace(workspace: { id: string; organizationId: string; projectId: string }): Place {
  return { organizationId: workspace.organizationId, projectId: workspace.projectId, workspaceId: workspace.id };
}

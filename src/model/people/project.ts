/** A part of an organization with workspaces and further projects in it. */
export interface Project {
  id: string;
  organizationId: string;
  /** `null`: it is directly below the organization. */
  parentId: string | null;
  /** Unique among the projects with the same parent. */
  name: string;
  /** The ids from the top of the tree to this project. */
  path: readonly string[];
  /** Whether grants from above do not reach into it. */
  isolated: boolean;
  createdAt: string;
}

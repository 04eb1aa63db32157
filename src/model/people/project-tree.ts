/** A project as a node of the tree: an organization has projects, which have projects and workspaces. */
export interface ProjectNode {
  id: string;
  organizationId: string;
  parentId: string | null;
  /** Whether grants from above do not reach into it. */
  isolated: boolean;
}

/** The projects of an installation, as rights need them. */
export interface ProjectTree {
  readonly nodes: ReadonlyMap<string, ProjectNode>;
  /** The ids of the projects directly below each one. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly isolatedIds: readonly string[];
}

/** Most nested projects: the depth of the tree below an organization. */
export const PROJECT_DEPTH = 5;

/** Returns the id of the project `default` of an organization, which repeats that of the organization. */
export function defaultProjectId(organizationId: string): string {
  return organizationId.replace(/^org_/, "prj_");
}

export function projectTree(projects: Iterable<ProjectNode>): ProjectTree {
  const nodes = new Map<string, ProjectNode>();
  const children = new Map<string, string[]>();
  const isolatedIds: string[] = [];
  for (const project of projects) {
    nodes.set(project.id, project);
    if (project.isolated) isolatedIds.push(project.id);
    if (project.parentId === null) continue;
    const siblings = children.get(project.parentId);
    if (siblings === undefined) children.set(project.parentId, [project.id]);
    else siblings.push(project.id);
  }
  return { nodes, children, isolatedIds };
}

/** A tree without projects that matter to rights: none is isolated, and none has a grant. */
export const NO_PROJECTS: ProjectTree = projectTree([]);

/** Returns the projects above one, from the top down, and itself; empty for one that does not exist. */
export function lineOf({ nodes }: ProjectTree, id: string): ProjectNode[] {
  const line: ProjectNode[] = [];
  for (let node = nodes.get(id); node !== undefined && line.length < PROJECT_DEPTH; ) {
    line.unshift(node);
    node = node.parentId === null ? undefined : nodes.get(node.parentId);
  }
  return line;
}

/** Returns projects and all that are below them, each once, parents before children. */
export function subtrees({ nodes, children }: ProjectTree, ids: Iterable<string>): ProjectNode[] {
  const asked = new Set(ids);
  const found: ProjectNode[] = [];
  const walk = (id: string): void => {
    const node = nodes.get(id);
    if (node === undefined) return;
    found.push(node);
    for (const child of children.get(id) ?? []) walk(child);
  };
  for (const id of asked) {
    const above = lineOf({ nodes, children, isolatedIds: [] }, id).slice(0, -1);
    if (!above.some((ancestor) => asked.has(ancestor.id))) walk(id);
  }
  return found;
}

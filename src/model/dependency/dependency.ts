/** Dependencies between workspaces, as a graph without cycles. */
import type { VariableCategory } from "../workspace/workspace.ts";

/** When an applied workspace upstream starts a run downstream. NEVER: an order only, and a failure upstream is none here. */
export const DEPENDENCY_TRIGGERS = ["ALWAYS", "NEVER", "OUTPUTS_CHANGED"] as const;
export type DependencyTrigger = (typeof DEPENDENCY_TRIGGERS)[number];

/** An output of a workspace upstream that is a variable downstream. */
export interface OutputReference {
  output: string;
  key: string;
  category: VariableCategory;
}

/** The two sides of a dependency. */
export interface DependencyEdge {
  upstreamId: string;
  downstreamId: string;
}

/** One workspace depends on another one. */
export interface Dependency extends DependencyEdge {
  trigger: DependencyTrigger;
  outputs: readonly OutputReference[];
}

/** A workspace of a changeset comes after another one. */
export interface MemberOrdering {
  workspaceId: string;
  afterId: string;
  /** Whether it begins even if the other one failed. */
  ignoresFailure: boolean;
}

/**
 * Finds a way from a workspace back to itself, along upstreams: the ids on the way, beginning and ending with it. `null` if
 * there is none.
 */
export function findCycle(workspaceId: string, dependencies: readonly DependencyEdge[]): string[] | null {
  const upstreams = Map.groupBy(dependencies, ({ downstreamId }) => downstreamId);
  const cameFrom = new Map<string, string>();
  const open = [workspaceId];
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    for (const { upstreamId } of upstreams.get(id) ?? []) {
      if (cameFrom.has(upstreamId)) continue;
      cameFrom.set(upstreamId, id);
      if (upstreamId === workspaceId) return wayBack(workspaceId, cameFrom);
      open.push(upstreamId);
    }
  }
  return null;
}

function wayBack(workspaceId: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [workspaceId];
  let id = cameFrom.get(workspaceId);
  while (id !== undefined && id !== workspaceId) {
    way.push(id);
    id = cameFrom.get(id);
  }
  return [...way, workspaceId].toReversed();
}

/** Returns the wave of each workspace: 0, or one more than the last of those that it comes after. Without cycles. */
export function wavesOf(
  ids: readonly string[],
  orderings: readonly Pick<MemberOrdering, "workspaceId" | "afterId">[],
): Map<string, number> {
  const before = Map.groupBy(orderings, ({ workspaceId }) => workspaceId);
  const waves = new Map<string, number>();
  // By a stack of its own: a chain may be longer than the stack of calls.
  const open = [...ids];
  for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
    const earlier = (before.get(id) ?? []).map(({ afterId }) => afterId);
    const missing = earlier.filter((one) => !waves.has(one));
    if (missing.length > 0 && !waves.has(id)) {
      open.push(...missing);
      continue;
    }
    open.pop();
    if (!waves.has(id)) waves.set(id, Math.max(-1, ...earlier.map((one) => waves.get(one) ?? 0)) + 1);
  }
  return waves;
}

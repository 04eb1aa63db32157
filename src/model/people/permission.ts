import type { Actor } from "./actor.ts";
import type { Place, Rights } from "./grant.ts";
import { includes, type Permission, type PermissionSet } from "./permission-set.ts";
import { isApplyLeg, type RunKind, type RunLeg } from "../lifecycle/run-kind.ts";
import type { TokenRole } from "./token.ts";

/** A person or a machine user, by a token. */
export interface TokenCaller {
  type: "token";
  tokenId: string;
  actor: Actor;
  /** The role of the token, for display: decisions are made by `rights`. */
  role: TokenRole;
  rights: Rights;
  /** When the token expires; absent if never. */
  expiresAt?: string;
}
/** A runner that asks for work. */
export interface RunnerCaller {
  type: "runner";
  /** `null`: shared by all organizations. */
  poolId: string | null;
  /** The token of the pool that the runner used. */
  tokenId?: string;
}
/** A runner at work on one leg of one run. */
export interface JobCaller {
  type: "job";
  jobId: string;
  kind: RunKind;
  leg: RunLeg;
  runId: string;
}

type WithRights = Pick<TokenCaller, "rights">;

function included(sets: ReadonlyMap<string, PermissionSet>, id: string | null, permission: Permission): boolean {
  const set = id === null || sets.size === 0 ? undefined : sets.get(id);
  return set !== undefined && includes(set, permission);
}

/** Decides whether a caller has a permission at the place of an object. Every read and every command calls it. */
export function can({ rights }: WithRights, permission: Permission, place: Place): boolean {
  const { everywhere, organizations, workspaces } = rights;
  return (
    includes(everywhere, permission) ||
    included(organizations, place.organizationId, permission) ||
    included(workspaces, place.workspaceId, permission)
  );
}

/** The part of the tree in which a caller has a permission; `some` names the nodes at which it begins. */
export type CallerScope =
  | { readonly type: "everything" }
  | { readonly type: "nothing" }
  | { readonly type: "some"; readonly organizationIds: readonly string[]; readonly workspaceIds: readonly string[] };

export const EVERYTHING: CallerScope = { type: "everything" };
const NOTHING: CallerScope = { type: "nothing" };

/** Returns where a caller has a permission; lists filter by it in SQL. */
export function scopeOf({ rights }: WithRights, permission: Permission): CallerScope {
  if (includes(rights.everywhere, permission)) return EVERYTHING;
  const having = (sets: ReadonlyMap<string, PermissionSet>): string[] =>
    [...sets].flatMap(([id, set]) => (includes(set, permission) ? [id] : []));
  const organizationIds = having(rights.organizations);
  const workspaceIds = having(rights.workspaces);
  if (organizationIds.length === 0 && workspaceIds.length === 0) return NOTHING;
  return { type: "some", organizationIds, workspaceIds };
}

type JobLeg = Pick<JobCaller, "kind" | "leg">;

/** The actions of a job, each with the kinds of runs and the legs on which it is allowed. */
const JOB_ACTIONS = {
  "job:work": () => true,
  "source:read": ({ kind, leg }) => !isApplyLeg(leg) && kind !== "UNLOCK",
  "archive:write": ({ leg }) => leg === "PLAN" || leg === "REPLAN",
  "archive:read": ({ leg }) => isApplyLeg(leg),
  "state:read": ({ kind }) => kind !== "UNLOCK",
  // A speculative run works beside the holder of the workspace and must not block it.
  "state:lock": ({ kind }) => kind !== "PLAN" && kind !== "UNLOCK",
  "state:write": ({ kind, leg }) => isApplyLeg(leg) || kind === "TASK",
  "rollback:read": ({ kind }) => kind === "TASK",
  "state:break": ({ kind }) => kind === "UNLOCK",
} as const satisfies Record<string, (job: JobLeg) => boolean>;
export type JobAction = keyof typeof JOB_ACTIONS;

/** Decides whether a job may do something on its leg. Depends on the job alone. */
export function canJob(job: JobLeg, action: JobAction): boolean {
  return JOB_ACTIONS[action](job);
}

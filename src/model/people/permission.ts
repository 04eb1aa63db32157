import type { AccessVersion } from "./access-version.ts";
import type { Actor } from "./actor.ts";
import type { Identification } from "./identification.ts";
import { includes, type Permission, PERMISSIONS, type PermissionSet, permissionSet } from "./permission-set.ts";
import type { Place } from "./place.ts";
import { keepsAll, type Rights } from "./rights.ts";
import type { Sponsor } from "./sponsor.ts";
import { isApplyLeg, type RunKind, type RunLeg } from "../lifecycle/run-kind.ts";

/** The kinds of credentials by which a caller is known. */
export const CREDENTIAL_KINDS = ["TOKEN", "SESSION", "RUN"] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** A person or a machine user, by a token or a session, or a run, by its job. */
export interface ActorCaller {
  type: "actor";
  /** OWNER: a schedule or an inbound hook acts for its owner. It sends no requests. */
  credential: CredentialKind | "OWNER";
  credentialId: string;
  actor: Actor;
  /** How it is known which person the actor is; absent: by tokens alone, or it is a machine user. */
  identifiedBy?: Identification;
  /** Absent: its person was not invited. */
  sponsor?: Sponsor;
  rights: Rights;
  /** The version of the rights of the installation by which `rights` were compiled. */
  accessVersion: AccessVersion;
  /** When the first of the grants ends; absent if none does. */
  rightsUntil?: string;
  /** When the credential expires; absent if never. */
  expiresAt?: string;
  /** The networks from which the credential may be used; absent: any. */
  networks?: readonly string[];
  /** When the person of a session last proved to be present; absent for a token, and for a session of one. */
  presentAt?: string;
  /** The token that opened the session; absent: a person proved to be present. */
  openedBy?: OpeningToken;
  /** The run that acts; absent for people and machine users. */
  run?: ActingRun;
}

/** A token that opened a session. It proves nothing about who is present. */
export interface OpeningToken {
  id: string;
  /** When it was shown. */
  shownAt: string;
  /** When it expires; `null`: never. */
  expiresAt: string | null;
}

/** A run that acts on the API, for its workspace. */
export interface ActingRun {
  id: string;
  workspaceId: string;
  /** The permissions to which its grants are reduced. */
  cap: PermissionSet;
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

/**
 * Returns the id by which the limits of a credential are counted: sessions of a token share those of the token, or another
 * sign-in would give new ones.
 */
export function countedCredential({ credentialId, openedBy }: Pick<ActorCaller, "credentialId" | "openedBy">): string {
  return openedBy?.id ?? credentialId;
}

/** Returns the id of the token that a caller sent, or with which its session was opened; `null`: it has none. */
export function tokenIdOf({
  credential,
  credentialId,
  openedBy,
}: Pick<ActorCaller, "credential" | "credentialId" | "openedBy">): string | null {
  return openedBy?.id ?? (credential === "TOKEN" ? credentialId : null);
}

type WithRights = Pick<ActorCaller, "rights">;

function included(sets: ReadonlyMap<string, PermissionSet>, id: string | null, permission: Permission): boolean {
  const set = id === null || sets.size === 0 ? undefined : sets.get(id);
  return set !== undefined && includes(set, permission);
}

/** Decides whether a caller has a permission at the place of an object. Every read and every command calls it. */
export function can({ rights }: WithRights, permission: Permission, place: Place): boolean {
  const { everywhere, organizations, projects, workspaces } = rights;
  const ofProject = place.projectId === null || projects.size === 0 ? undefined : projects.get(place.projectId);
  const isInherited =
    ofProject === undefined
      ? includes(everywhere, permission) || included(organizations, place.organizationId, permission)
      : includes(ofProject, permission);
  return isInherited || included(workspaces, place.workspaceId, permission);
}

/** The part of the tree in which a caller has a permission. */
export type CallerScope =
  | { readonly type: "everything" }
  | { readonly type: "nothing" }
  | {
      readonly type: "some";
      /** All organizations, or these; without the projects in `hiddenProjectIds`. */
      readonly organizationIds: readonly string[] | "ALL";
      readonly hiddenProjectIds: readonly string[];
      /** Beside them; each without the projects below it, which are listed too. */
      readonly projectIds: readonly string[];
      readonly workspaceIds: readonly string[];
    };

export const EVERYTHING: CallerScope = { type: "everything" };
export const NOTHING: CallerScope = { type: "nothing" };

/** Returns where a caller has a permission; lists filter by it in SQL. */
export function scopeOf({ rights }: WithRights, permission: Permission): CallerScope {
  const { everywhere, organizations, projects, workspaces } = rights;
  const having = (sets: ReadonlyMap<string, PermissionSet>, wanted: boolean): string[] =>
    [...sets].flatMap(([id, set]) => (includes(set, permission) === wanted ? [id] : []));
  const isEverywhere = includes(everywhere, permission);
  const organizationIds = isEverywhere ? "ALL" : having(organizations, true);
  const hiddenProjectIds = organizationIds.length === 0 ? [] : having(projects, false);
  if (isEverywhere && hiddenProjectIds.length === 0) return EVERYTHING;
  const projectIds = isEverywhere ? [] : having(projects, true);
  const workspaceIds = having(workspaces, true);
  const isNowhere = [organizationIds, projectIds, workspaceIds].every((ids) => ids.length === 0);
  return isNowhere ? NOTHING : { type: "some", organizationIds, hiddenProjectIds, projectIds, workspaceIds };
}

/**
 * Whether a caller still has all that it had earlier, is bound to the same networks, and nothing has gone to another place
 * since.
 */
export function keepsRights(now: ActorCaller, before: ActorCaller): boolean {
  const hasMoved = now.accessVersion.moves !== before.accessVersion.moves;
  const isElsewhere = now.networks?.join() !== before.networks?.join();
  return !hasMoved && !isElsewhere && keepsAll(now.rights, before.rights);
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

/**
 * The permissions that no run has, even if its workspace was granted them: to approve, to change gates, policies and external
 * checks, to ask for exceptions, and to make tokens, which would outlive the run.
 */
const NOT_BY_RUNS = permissionSet([
  "PLAN_APPROVE",
  "APPLY_APPROVE",
  "GATE_WRITE",
  "POLICY_WRITE",
  "CHECK_WRITE",
  "POLICY_EXCEPT",
  "TOKEN_WRITE",
]);
const BY_RUNS = permissionSet(PERMISSIONS.filter((permission) => !includes(NOT_BY_RUNS, permission)));
const READING = permissionSet(PERMISSIONS.filter((permission) => permission.endsWith("_READ")));

/**
 * Returns the permissions to which the grants of a workspace are reduced for one of its jobs. A leg that may not change the
 * state only reads: no one has approved yet what it executes.
 */
export function permissionsOfRun(job: JobLeg): PermissionSet {
  return canJob(job, "state:write") ? BY_RUNS : READING;
}

/** The events of hooks that refs may have moved by, and the repository that they name. */
import type { GitHostKind } from "./git-host.ts";
import { pickJson } from "./json-pick.ts";

/** The names of headers, in small letters as Node gives them. */
export type HookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** How a kind of host names an event, a delivery, and the repository in the body. */
interface HookForm {
  event: readonly string[];
  delivery: readonly string[];
  /** Events by which refs move. */
  refEvents: readonly string[];
  id: string;
  /** Parts of the path of the repository. */
  name: readonly string[];
}

const GITEA: HookForm = {
  event: ["x-forgejo-event", "x-gitea-event"],
  delivery: ["x-forgejo-delivery", "x-gitea-delivery"],
  refEvents: ["push", "create", "delete"],
  id: "repository.id",
  name: ["repository.full_name"],
};

/** GIT sends no hooks. */
const FORMS: Record<Exclude<GitHostKind, "GIT">, HookForm> = {
  GITHUB: {
    event: ["x-github-event"],
    delivery: ["x-github-delivery"],
    refEvents: ["push", "create", "delete"],
    id: "repository.id",
    name: ["repository.full_name"],
  },
  GITEA,
  FORGEJO: GITEA,
  GITLAB: {
    event: ["x-gitlab-event"],
    delivery: ["idempotency-key", "x-gitlab-event-uuid", "webhook-id"],
    refEvents: ["Push Hook", "Tag Push Hook"],
    id: "project.id",
    name: ["project.path_with_namespace"],
  },
  BITBUCKET_CLOUD: {
    event: ["x-event-key"],
    delivery: ["x-request-uuid"],
    refEvents: ["repo:push"],
    id: "repository.uuid",
    name: ["repository.full_name"],
  },
  BITBUCKET_SERVER: {
    event: ["x-event-key"],
    delivery: ["x-request-id"],
    refEvents: ["repo:refs_changed"],
    id: "repository.id",
    name: ["repository.project.key", "repository.slug"],
  },
};

const MAX_NAME = 200;

function headerOf(headers: HookHeaders, names: readonly string[]): string | null {
  for (const name of names) {
    const value = headers[name];
    if (typeof value === "string" && value !== "") return value.slice(0, MAX_NAME);
  }
  return null;
}

/** Returns the name of a delivery's event; `null` if refs do not move by it. */
export function refEventOf(kind: GitHostKind, headers: HookHeaders): string | null {
  if (kind === "GIT") return null;
  const { event, refEvents } = FORMS[kind];
  const name = headerOf(headers, event);
  return name !== null && refEvents.includes(name) ? name : null;
}

/** Returns the host's id of a delivery; `null` if it gave none. */
export function deliveryIdOf(kind: GitHostKind, headers: HookHeaders): string | null {
  return kind === "GIT" ? null : headerOf(headers, FORMS[kind].delivery);
}

/** The repository that a delivery names. */
export interface NamedRepository {
  remoteId: string;
  /** The path at its host, in small letters. */
  name: string;
}

/** Picks the repository out of a body that is authentic; `null` if there is none in it. */
export function repositoryIn(kind: GitHostKind, body: Buffer): NamedRepository | null {
  if (kind === "GIT") return null;
  const { id, name } = FORMS[kind];
  const picked = pickJson(body, [id, ...name]);
  const remoteId = picked?.get(id);
  const parts = name.map((path) => picked?.get(path));
  if (remoteId === undefined || parts.some((part) => part === undefined)) return null;
  const path = parts.join("/").toLowerCase();
  // Postgres cannot store U+0000.
  if (/\0/.test(remoteId + path) || remoteId.length > MAX_NAME) return null;
  return { remoteId, name: path };
}

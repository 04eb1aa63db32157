/** Commands about hosts of git repositories. */
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import {
  type GitHost,
  type GitHostKind,
  type HostCredential,
  repositoryUrl,
  type ShownGitHost,
  shownHost,
} from "../../model/repository/git-host.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import {
  countGitHosts,
  insertGitHost,
  markGitHostDeleted,
  replaceHookSecret,
  updateGitHostRow,
} from "../../persistence/repository/git-host-store.ts";
import { listRepositoriesOfHost, updateRepositoryRow } from "../../persistence/repository/repository-store.ts";
import { command } from "../access/command.ts";
import type { Commands } from "../kit/bind-commands.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { lookUpOrganization } from "../organization/look-up-organization.ts";
import { commandGitHost, WITH_GIT_HOSTS } from "./git-host-command.ts";
import {
  checkCredential,
  checkHookSecret,
  checkHostName,
  checkHostUrl,
  type CredentialInput,
} from "./git-host-input.ts";

interface CreateGitHostInput extends CredentialInput {
  organizationId: string;
  kind: GitHostKind;
  name: string;
  url: string;
  /** `null` for a random secret. */
  hookSecret: string | null;
}

/** A host with the secret that its hooks are signed with, which is returned only once. */
export interface GitHostWithSecret {
  gitHost: ShownGitHost;
  hookSecret: string;
}

const SECRET_BYTES = 32;
const PATH_BYTES = 16;

/** Creates a host. No connection is made: the first look of a repository shows whether it can be reached. */
function createGitHost(deps: Deps, caller: ActorCaller, input: CreateGitHostInput): Promise<GitHostWithSecret> {
  const { organizationId, kind, name, url } = input;
  let credential: HostCredential = { type: "NONE" };
  const spec = {
    ...WITH_GIT_HOSTS,
    name: "createGitHost",
    subjectId: organizationId,
    noun: "organization",
    find: (tx: Transaction) => lookUpOrganization(tx, organizationId),
    placeOf: organizationPlace,
    sight: "ORGANIZATION_READ",
    check: (check: InputCheck) => {
      checkHostName(check, name);
      credential = checkCredential(check, kind, checkHostUrl(check, kind, url)?.protocol, input);
      checkHookSecret(check, input.hookSecret);
    },
  } as const;
  return command(deps, caller, spec, async (tx) => {
    // Concurrent requests may exceed the limit, which only bounds a runaway script.
    if ((await countGitHosts(tx, organizationId)) >= LIMITS.gitHostsPerOrganization) {
      const message = `has ${LIMITS.gitHostsPerOrganization} git hosts, which is the limit. Delete one first.`;
      throw invalidField("organizationId", message);
    }
    const gitHost: GitHost = {
      id: deps.newId("gitHost"),
      organizationId,
      kind,
      name,
      url,
      credential: credential.type,
      hookPath: randomText(deps, PATH_BYTES),
      formerHookSecretUntil: null,
      formerHookSecretUsedAt: null,
      createdById: caller.actor.id,
      createdAt: deps.clock().toISOString(),
    };
    const hookSecret = input.hookSecret ?? randomText(deps, SECRET_BYTES);
    await insertGitHost(tx, deps.cipher, gitHost, { credential, hookSecret });
    return { gitHost: shownHost(gitHost, deps.publicUrl), hookSecret };
  }).catch((error: unknown) => {
    throw hostNameTaken(error, name);
  });
}

/** Absent fields stay unchanged; `null` is invalid. A credential is replaced as a whole. */
interface UpdateGitHostInput extends CredentialInput {
  gitHostId: string;
  name?: string | null | undefined;
  url?: string | null | undefined;
  removeCredential: boolean;
}

/**
 * Updates a host. Its repositories follow a new address. A new site needs a new credential: no API returns the old one,
 * which must not be sent elsewhere.
 */
function updateGitHost(deps: Deps, caller: ActorCaller, input: UpdateGitHostInput): Promise<ShownGitHost> {
  const { gitHostId } = input;
  let credential: HostCredential | null = null;
  const spec = {
    name: "updateGitHost",
    gitHostId,
    check: (check: InputCheck, before: GitHost) => {
      for (const field of ["name", "url"] as const) check.require(input[field] !== null, field, "cannot be null.");
      if (typeof input.name === "string") checkHostName(check, input.name);
      credential = credentialAfter(check, before, input);
    },
  };
  return commandGitHost(deps, caller, spec, async (tx, before) => {
    const after: GitHost = {
      ...before,
      name: input.name ?? before.name,
      url: input.url ?? before.url,
      credential: credential?.type ?? before.credential,
    };
    await updateGitHostRow(tx, deps.cipher, after, credential);
    if (after.url !== before.url) await moveRepositories(tx, after);
    return shownHost(after, deps.publicUrl);
  }).catch((error: unknown) => {
    throw hostNameTaken(error, input.name ?? "");
  });
}

/** Returns the credential that replaces the former one; `null` if that stays. */
function credentialAfter(check: InputCheck, before: GitHost, input: UpdateGitHostInput): HostCredential | null {
  const url = checkHostUrl(check, before.kind, input.url ?? before.url);
  const { username, token, sshKey, knownHosts, appId, privateKey } = input;
  const isGiven = [username, token, sshKey, knownHosts, appId, privateKey].some((text) => text !== null);
  if (input.removeCredential) check.require(!isGiven, "removeCredential", "cannot be combined with a new credential.");
  if (isGiven || input.removeCredential) return checkCredential(check, before.kind, url?.protocol, input);
  if (
    url !== null &&
    before.credential !== "NONE" &&
    siteOf(before.kind, before.url) !== siteOf(before.kind, url.url)
  ) {
    check.refuse(
      "url",
      "is at another site, which would be sent the credential: give the credential again, or removeCredential.",
    );
  }
  return null;
}

/** Returns the scheme, host and port of an address. */
function siteOf(kind: GitHostKind, text: string): string {
  const url = text.includes("://") ? new URL(text) : new URL(`ssh://${text.replace(/:.*/, "")}`);
  return `${kind} ${url.protocol}//${url.host}`.toLowerCase();
}

async function moveRepositories(tx: Transaction, host: GitHost): Promise<void> {
  for (const repository of await listRepositoriesOfHost(tx, host.id)) {
    await updateRepositoryRow(tx, { ...repository, url: repositoryUrl(host, repository.name) });
  }
}

/** Deletes a host without repositories. */
function deleteGitHost(deps: Deps, caller: ActorCaller, { gitHostId }: { gitHostId: string }): Promise<string> {
  return commandGitHost(deps, caller, { name: "deleteGitHost", gitHostId }, async (tx) => {
    const [first] = await listRepositoriesOfHost(tx, gitHostId);
    if (first !== undefined) {
      throw invalidField("gitHostId", `has repositories, such as ${first.name}. Delete them first.`);
    }
    await markGitHostDeleted(tx, gitHostId, deps.clock().toISOString());
    return gitHostId;
  });
}

interface RotateHookSecretInput {
  gitHostId: string;
  /** `null` for a random secret. */
  hookSecret: string | null;
  /** Stops accepting the former secret at once; otherwise both are accepted for a day. */
  revokeNow: boolean;
}

/** Replaces the secret that hooks are signed with. `revokeNow` is for a leaked secret. */
function rotateHookSecret(deps: Deps, caller: ActorCaller, input: RotateHookSecretInput): Promise<GitHostWithSecret> {
  const { gitHostId, revokeNow } = input;
  const spec = {
    name: "rotateHookSecret",
    gitHostId,
    check: (check: InputCheck) => checkHookSecret(check, input.hookSecret),
  };
  return commandGitHost(deps, caller, spec, async (tx, host) => {
    const hookSecret = input.hookSecret ?? randomText(deps, SECRET_BYTES);
    const until = new Date(deps.clock().getTime() + LIMITS.formerHookSecretMs).toISOString();
    const formerUntil = revokeNow ? null : until;
    await replaceHookSecret(tx, deps.cipher, gitHostId, { secret: hookSecret, formerUntil });
    const after = { ...host, formerHookSecretUntil: formerUntil, formerHookSecretUsedAt: null };
    return { gitHost: shownHost(after, deps.publicUrl), hookSecret };
  });
}

function randomText({ randomBytes }: Pick<Deps, "randomBytes">, bytes: number): string {
  return Buffer.from(randomBytes(bytes)).toString("base64url");
}

function hostNameTaken(error: unknown, name: string): unknown {
  if (!violates(error, "git_host_name")) return error;
  return new UserError("NAME_TAKEN", `The organization already has a git host "${name}". Choose another name.`);
}

/** The commands about hosts, by name. */
export const GIT_HOST_COMMANDS = {
  createGitHost: { run: createGitHost, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
  deleteGitHost: { run: deleteGitHost, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  rotateHookSecret: { run: rotateHookSecret, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  updateGitHost: { run: updateGitHost, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
} as const satisfies Commands;

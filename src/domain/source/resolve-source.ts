import { GitSourceRefused, parseBranch, parseGitUrl, parseSubFolder } from "../../model/workspace/git-source.ts";
import { idKind } from "../../model/kit/id.ts";
import { organizationPlace } from "../../model/people/place.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, type UserError } from "../../model/kit/user-error.ts";
import type { Repository } from "../../model/repository/repository.ts";
import type { GitSource, UploadSource, WorkspaceSource } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findRepositories, holdRepository } from "../../persistence/repository/repository-store.ts";
import { findUpload } from "../../persistence/blob/upload-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { GitSourceInput, WorkspaceSourceInput } from "./source-input.ts";
import { InputCheck } from "../kit/input.ts";
import { resolveRepository } from "./git-folder.ts";
import { resolveDirectory } from "./pack-directory.ts";

/**
 * Converts a source input to its stored form. Throws INVALID_INPUT naming the field below `source`. Uses no network:
 * credentials are variables of a workspace that may not exist yet.
 */
export async function resolveSource(
  deps: Pick<Deps, "database" | "clock" | "sourceRoots">,
  input: WorkspaceSourceInput,
  owner: SourceOwner,
): Promise<WorkspaceSource> {
  if (input.git !== undefined) return resolveGit(deps, input.git, owner);
  if (input.upload !== undefined) return resolveUpload(deps, owner.caller, input.upload.uploadId);
  return { type: "directory", path: await resolveDirectory(input.directory.path, deps.sourceRoots) };
}

/** The caller that sets a source, and the organization of the workspace. */
interface SourceOwner {
  caller: ActorCaller;
  organizationId: string;
}

async function resolveGit(
  deps: Pick<Deps, "database" | "sourceRoots">,
  input: GitSourceInput,
  owner: SourceOwner,
): Promise<GitSource> {
  const check = new InputCheck();
  const { url: text, repositoryId } = { url: input.url ?? null, repositoryId: input.repositoryId ?? null };
  const words = "must be given, or repositoryId in its place; not both.";
  check.require((text === null) !== (repositoryId === null), "source.git.url", words);
  const url = text === null ? null : parsed(check, "source.git.url", () => parseGitUrl(text));
  const branch = parsed(check, "source.git.branch", () => parseBranch(input.branch)) ?? "";
  const path = parsed(check, "source.git.path", () => parseSubFolder(input.path)) ?? ".";
  check.done();
  if (repositoryId !== null) {
    const { url: address } = await findUsableRepository(deps, repositoryId, owner);
    return { type: "git", url: address, branch, path, repositoryId };
  }
  if (url?.protocol === "file") await resolveRepository(url.folder, deps.sourceRoots);
  return { type: "git", url: text ?? "", branch, path };
}

async function findUsableRepository(
  { database }: Pick<Deps, "database">,
  repositoryId: string,
  { caller, organizationId }: SourceOwner,
): Promise<Repository> {
  const [repository = null] =
    idKind(repositoryId) === "repository" ? await findRepositories(database, [repositoryId]) : [];
  const isSeen = mayReadRepositories(caller, organizationId);
  if (repository?.organizationId === organizationId && isSeen) return repository;
  throw unknownRepository();
}

/**
 * Whether a caller may use the repositories of an organization as sources. Otherwise the credential of the host would show
 * one to a caller who may not read all workspaces that have it.
 */
export function mayReadRepositories(caller: ActorCaller, organizationId: string): boolean {
  return can(caller, "WORKSPACE_READ", organizationPlace({ id: organizationId }));
}

function unknownRepository(): UserError {
  return invalidField(
    "source.git.repositoryId",
    "must be the id of a repository of the organization that you may read.",
  );
}

/** Keeps the repository of a source from being deleted, and returns the source with its current address. */
export async function holdSource(tx: Transaction, source: WorkspaceSource): Promise<WorkspaceSource> {
  if (source.type !== "git" || source.repositoryId === undefined) return source;
  const repository = await holdRepository(tx, source.repositoryId);
  if (repository === null) throw unknownRepository();
  return { ...source, url: repository.url };
}

/** Parses a field of a git source; `null` if it is refused by the check. */
export function parsed<T>(check: InputCheck, field: string, parse: () => T): T | null {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof GitSourceRefused)) throw error;
    check.refuse(field, error.message);
    return null;
  }
}

async function resolveUpload(
  { database, clock }: Pick<Deps, "database" | "clock">,
  caller: ActorCaller,
  uploadId: string,
): Promise<UploadSource> {
  const since = new Date(clock().getTime() - LIMITS.uploadKeptMs).toISOString();
  const upload = idKind(uploadId) === "upload" ? await findUpload(database, uploadId) : null;
  // An upload has no place: it is its uploader's until a workspace has it.
  const isOwn = upload?.createdById === caller.actor.id;
  if (upload === null || !isOwn || upload.createdAt < since) {
    throw invalidField("source.upload.uploadId", "must be the id of an upload of yours of the last 24 hours.");
  }
  return { type: "upload", uploadId, digest: upload.digest };
}

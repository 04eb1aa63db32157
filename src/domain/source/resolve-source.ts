import { GitSourceRefused, parseBranch, parseGitUrl, parseSubFolder } from "../../model/workspace/git-source.ts";
import { idKind } from "../../model/kit/id.ts";
import { organizationPlace } from "../../model/people/place.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, type UserError } from "../../model/kit/user-error.ts";
import type { Repository } from "../../model/repository/repository.ts";
import type { DirectorySource, GitSource, UploadSource, WorkspaceSource } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findRepositories, holdRepository } from "../../persistence/repository/repository-store.ts";
import { findUpload } from "../../persistence/blob/upload-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { GitSourceInput, WorkspaceSourceInput } from "./source-input.ts";
import { InputCheck } from "../kit/input.ts";
import { resolveRepository } from "./git-folder.ts";
import { resolveDirectory } from "./pack-directory.ts";

const DEFAULT_BRANCH = "main";
const DEFAULT_PATH = ".";
const NEEDS_ADDRESS = "must be given, or repositoryId in its place; not both.";

/** The parts of a source in git that an input names. */
interface GivenGit {
  type: "git";
  /** `null`: that of the source before. */
  address: Pick<GitSource, "url" | "repositoryId"> | null;
  /** Absent: that of the source before, if its repository is the same. */
  branch: string | undefined;
  path: string | undefined;
}

/** A source as an input names it. `sourceAfter` makes it complete. */
export type GivenSource = DirectorySource | UploadSource | GivenGit;

/**
 * Checks a source input and looks up what it names. Throws INVALID_INPUT naming the field below `source`. Uses no
 * network: credentials are variables of a workspace that may not exist yet.
 */
export async function resolveSource(
  deps: Pick<Deps, "database" | "clock" | "sourceRoots">,
  input: WorkspaceSourceInput,
  owner: SourceOwner,
): Promise<GivenSource> {
  if (input.git !== undefined) return resolveGit(deps, input.git, owner);
  if (input.upload !== undefined) return resolveUpload(deps, owner.caller, input.upload.uploadId);
  return { type: "directory", path: await resolveDirectory(input.directory.path, deps.sourceRoots) };
}

/** The caller that sets a source, and the organization of the workspace. */
interface SourceOwner {
  caller: ActorCaller;
  organizationId: string;
  /** The source that the workspace has; `null` if it is being created. */
  before: WorkspaceSource | null;
}

/**
 * Returns the source of a workspace after a change. What the input leaves out stays while the repository is the same.
 * Throws INVALID_INPUT if there is no repository to keep, or the caller may not read it.
 */
export function sourceAfter(given: GivenSource, owner: SourceOwner): WorkspaceSource {
  if (given.type !== "git") return given;
  const before = owner.before?.type === "git" ? owner.before : null;
  const address = given.address ?? before;
  if (address === null) throw invalidField("source.git.url", NEEDS_ADDRESS);
  const { url, repositoryId } = address;
  if (repositoryId !== undefined && !mayReadRepositories(owner)) throw unknownRepository();
  const kept = before !== null && isSameRepository(before, address) ? before : null;
  const branch = given.branch ?? kept?.branch ?? DEFAULT_BRANCH;
  const path = given.path ?? kept?.path ?? DEFAULT_PATH;
  return { type: "git", url, branch, path, ...(repositoryId !== undefined && { repositoryId }) };
}

/** Compares ids where a host has the repository, because its address may change. */
function isSameRepository(one: Pick<GitSource, "url" | "repositoryId">, other: typeof one): boolean {
  const isOfHost = one.repositoryId !== undefined || other.repositoryId !== undefined;
  return isOfHost ? one.repositoryId === other.repositoryId : one.url === other.url;
}

async function resolveGit(
  deps: Pick<Deps, "database" | "sourceRoots">,
  input: GitSourceInput,
  owner: SourceOwner,
): Promise<GivenGit> {
  const check = new InputCheck();
  const { url: text, repositoryId } = { url: input.url ?? null, repositoryId: input.repositoryId ?? null };
  const isKept = owner.before?.type === "git" && input.url === undefined && input.repositoryId === undefined;
  check.require(isKept || (text === null) !== (repositoryId === null), "source.git.url", NEEDS_ADDRESS);
  const url = text === null ? null : parsed(check, "source.git.url", () => parseGitUrl(text));
  if (owner.before === null) {
    for (const field of ["branch", "path"] as const) {
      check.require(input[field] !== null, `source.git.${field}`, "cannot be null.");
    }
  }
  const branch = givenOf(check, input.branch, {
    field: "source.git.branch",
    usual: DEFAULT_BRANCH,
    parse: parseBranch,
  });
  const path = givenOf(check, input.path, { field: "source.git.path", usual: DEFAULT_PATH, parse: parseSubFolder });
  check.done();
  if (repositoryId !== null) {
    const { url: address } = await findUsableRepository(deps, repositoryId, owner);
    return { type: "git", address: { url: address, repositoryId }, branch, path };
  }
  if (url?.protocol === "file") await resolveRepository(url.folder, deps.sourceRoots);
  return { type: "git", address: text === null ? null : { url: text }, branch, path };
}

interface GivenField {
  field: string;
  /** The value of `null`. */
  usual: string;
  parse: (text: string) => string;
}

function givenOf(
  check: InputCheck,
  text: string | null | undefined,
  { field, usual, parse }: GivenField,
): string | undefined {
  if (text === undefined) return undefined;
  return parsed(check, field, () => parse(text ?? usual)) ?? usual;
}

async function findUsableRepository(
  { database }: Pick<Deps, "database">,
  repositoryId: string,
  owner: SourceOwner,
): Promise<Repository> {
  const [repository = null] =
    idKind(repositoryId) === "repository" ? await findRepositories(database, [repositoryId]) : [];
  if (repository?.organizationId === owner.organizationId && mayReadRepositories(owner)) return repository;
  throw unknownRepository();
}

/** The credential of the host would show a repository to a caller who may not read all workspaces that have it. */
function mayReadRepositories({ caller, organizationId }: SourceOwner): boolean {
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

function parsed<T>(check: InputCheck, field: string, parse: () => T): T | null {
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

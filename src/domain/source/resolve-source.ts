import { GitSourceRefused, parseBranch, parseGitUrl, parseSubFolder } from "../../model/workspace/git-source.ts";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { GitSource, UploadSource, WorkspaceSource } from "../../model/workspace/workspace.ts";
import { findUpload } from "../../persistence/blob/upload-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { WorkspaceSourceInput } from "./source-input.ts";
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
): Promise<WorkspaceSource> {
  if (input.git !== undefined) return resolveGit(deps, input.git);
  if (input.upload !== undefined) return resolveUpload(deps, input.upload.uploadId);
  return { type: "directory", path: await resolveDirectory(input.directory.path, deps.sourceRoots) };
}

async function resolveGit(
  { sourceRoots }: Pick<Deps, "sourceRoots">,
  input: { url: string; branch: string; path: string },
): Promise<GitSource> {
  const check = new InputCheck();
  const url = parsed(check, "source.git.url", () => parseGitUrl(input.url));
  const branch = parsed(check, "source.git.branch", () => parseBranch(input.branch));
  const path = parsed(check, "source.git.path", () => parseSubFolder(input.path));
  check.done();
  if (url?.protocol === "file") await resolveRepository(url.folder, sourceRoots);
  return { type: "git", url: input.url, branch: branch ?? "", path: path ?? "." };
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
  uploadId: string,
): Promise<UploadSource> {
  const since = new Date(clock().getTime() - LIMITS.uploadKeptMs).toISOString();
  const upload = idKind(uploadId) === "upload" ? await findUpload(database, uploadId) : null;
  if (upload === null || upload.createdAt < since) {
    throw invalidField("source.upload.uploadId", "must be the id of an upload of the last 24 hours.");
  }
  return { type: "upload", uploadId, digest: upload.digest };
}

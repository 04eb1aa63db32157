/**
 * A folder of a repository: by its address, or of a host. While the repository is the same, an absent `branch` or `path`
 * stays unchanged; `null` sets its default.
 */
export interface GitSourceInput {
  url?: string | null | undefined;
  repositoryId?: string | null | undefined;
  branch?: string | null | undefined;
  path?: string | null | undefined;
}

/** The source of a workspace: exactly one of these. */
export type WorkspaceSourceInput =
  | { directory: { path: string }; git?: undefined; upload?: undefined }
  | { git: GitSourceInput; directory?: undefined; upload?: undefined }
  | { upload: { uploadId: string }; directory?: undefined; git?: undefined };

/** A folder of a repository: by its address, or of a host. */
export interface GitSourceInput {
  url?: string | null | undefined;
  repositoryId?: string | null | undefined;
  branch: string;
  path: string;
}

/** The source of a workspace: exactly one of these. */
export type WorkspaceSourceInput =
  | { directory: { path: string }; git?: undefined; upload?: undefined }
  | { git: GitSourceInput; directory?: undefined; upload?: undefined }
  | { upload: { uploadId: string }; directory?: undefined; git?: undefined };

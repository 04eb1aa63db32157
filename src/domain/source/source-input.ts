/** The source of a workspace: exactly one of these. */
export type WorkspaceSourceInput =
  | { directory: { path: string }; git?: undefined; upload?: undefined }
  | { git: { url: string; branch: string; path: string }; directory?: undefined; upload?: undefined }
  | { upload: { uploadId: string }; directory?: undefined; git?: undefined };

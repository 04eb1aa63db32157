import type { DirectorySource, GitSource, UploadSource, WorkspaceSource } from "../../model/workspace/workspace.ts";
import { builder } from "../kit/builder.ts";

const DirectorySourceRef = builder.objectRef<DirectorySource>("DirectorySource").implement({
  description: "A folder on the server's disk, packed into a snapshot when a run is created.",
  fields: (t) => ({ path: t.exposeString("path", { description: "The path of the folder." }) }),
});

const GitSourceRef = builder.objectRef<GitSource>("GitSource").implement({
  description:
    "A folder of a git repository. A run gets the commit that its branch points to when the run is created; `Run.revision` names it.",
  fields: (t) => ({
    url: t.exposeString("url", { description: "The address of the repository; never with credentials." }),
    branch: t.exposeString("branch", { description: "The branch." }),
    path: t.exposeString("path", { description: "The folder within the repository; `.` is the whole of it." }),
  }),
});

const UploadSourceRef = builder.objectRef<UploadSource>("UploadSource").implement({
  description: "An archive that was sent to `POST /sources`; every run gets the same one.",
  fields: (t) => ({
    digest: t.exposeString("digest", { description: "SHA-256 of the archive; the same content has the same one." }),
  }),
});

const TYPE_NAMES = {
  directory: "DirectorySource",
  git: "GitSource",
  upload: "UploadSource",
} as const satisfies Record<WorkspaceSource["type"], string>;

export const WorkspaceSourceRef = builder.unionType("WorkspaceSource", {
  description: "Where the configuration of a workspace comes from.",
  types: [DirectorySourceRef, GitSourceRef, UploadSourceRef],
  resolveType: ({ type }) => TYPE_NAMES[type],
});

const DirectorySourceInputRef = builder.inputType("DirectorySourceInput", {
  description:
    "A folder on the server's disk, below one of the roots that its configuration names (links resolved), else InvalidInput; packed into a snapshot when a run is created.",
  fields: (t) => ({ path: t.string({ required: true, description: "The absolute path of the folder." }) }),
});

const GitSourceInputRef = builder.inputType("GitSourceInput", {
  description:
    "A git repository. Credentials never stand in the address: set the environment variables HOLDPOINT_GIT_USERNAME and HOLDPOINT_GIT_PASSWORD, or HOLDPOINT_GIT_SSH_KEY and HOLDPOINT_GIT_KNOWN_HOSTS, of the workspace; the engine does not get them.",
  fields: (t) => ({
    url: t.string({
      required: true,
      description:
        "https://, ssh:// (or git@host:path), or file:// below one of the roots that the server's configuration names.",
    }),
    branch: t.string({ required: true, defaultValue: "main", description: "The branch." }),
    path: t.string({ required: true, defaultValue: ".", description: "The folder within the repository." }),
  }),
});

const UploadSourceInputRef = builder.inputType("UploadSourceInput", {
  description: "A tar.gz that was sent to POST /sources before; its answer names the id.",
  fields: (t) => ({
    uploadId: t.id({ required: true, description: "The id; unused, it is good for 24 hours." }),
  }),
});

export const WorkspaceSourceInputRef = builder.inputType("WorkspaceSourceInput", {
  description: "Where the configuration comes from: exactly one of these.",
  isOneOf: true,
  fields: (t) => ({
    directory: t.field({ type: DirectorySourceInputRef, description: "A folder on the server's disk." }),
    git: t.field({ type: GitSourceInputRef, description: "A folder of a git repository." }),
    upload: t.field({ type: UploadSourceInputRef, description: "An archive that was sent before." }),
  }),
});

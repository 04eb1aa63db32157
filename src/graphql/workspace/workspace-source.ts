import type { DirectorySource, GitSource, UploadSource, WorkspaceSource } from "../../model/workspace/workspace.ts";
import { builder } from "../kit/builder.ts";
import { RepositoryRef, repositoryLoader } from "../kit/refs.ts";

const DirectorySourceRef = builder.objectRef<DirectorySource>("DirectorySource").implement({
  description: "A folder on the server's disk, packed into a snapshot when a run is created.",
  fields: (t) => ({ path: t.exposeString("path", { description: "The path of the folder." }) }),
});

const GitSourceRef = builder.objectRef<GitSource>("GitSource").implement({
  description:
    "A folder of a git repository. A run gets the commit of the branch at its creation; `Run.revision` names it.",
  fields: (t) => ({
    url: t.exposeString("url", { description: "The address of the repository, without credentials." }),
    branch: t.exposeString("branch", { description: "The branch." }),
    path: t.exposeString("path", { description: "The folder within the repository; `.` is the root." }),
    repository: t.field({
      type: RepositoryRef,
      nullable: true,
      description:
        "The repository of a git host. `null` if the source has an address of its own, or the caller may not read the repository.",
      resolve: ({ repositoryId }, _args, { loaders }) =>
        repositoryId === undefined ? null : loaders.load(repositoryLoader, repositoryId),
    }),
  }),
});

const UploadSourceRef = builder.objectRef<UploadSource>("UploadSource").implement({
  description: "An archive that was uploaded by `POST /sources`. Every run gets it.",
  fields: (t) => ({
    digest: t.exposeString("digest", { description: "The SHA-256 of the archive. Equal contents have equal digests." }),
  }),
});

const TYPE_NAMES = {
  directory: "DirectorySource",
  git: "GitSource",
  upload: "UploadSource",
} as const satisfies Record<WorkspaceSource["type"], string>;

export const WorkspaceSourceRef = builder.unionType("WorkspaceSource", {
  description: "The source of the configuration of a workspace.",
  types: [DirectorySourceRef, GitSourceRef, UploadSourceRef],
  resolveType: ({ type }) => TYPE_NAMES[type],
});

const DirectorySourceInputRef = builder.inputType("DirectorySourceInput", {
  description:
    "A folder on the server's disk, packed into a snapshot when a run is created. With links resolved it must lie below one of the source roots of the server.",
  fields: (t) => ({ path: t.string({ required: true, description: "The absolute path of the folder." }) }),
});

const GitSourceInputRef = builder.inputType("GitSourceInput", {
  description:
    "A git repository. Set credentials as environment variables of the workspace, which the engine does not get: HOLDPOINT_GIT_USERNAME and HOLDPOINT_GIT_PASSWORD, or HOLDPOINT_GIT_SSH_KEY and HOLDPOINT_GIT_KNOWN_HOSTS.",
  fields: (t) => ({
    url: t.string({
      description:
        "The address without credentials: https://, ssh:// (or git@host:path), or file:// below one of the source roots of the server. Required unless `repositoryId` is given.",
    }),
    repositoryId: t.id({
      description:
        "The repository of a git host, in place of `url`. It is fetched with the credential of the host, and its changes can start runs.",
    }),
    branch: t.string({ required: true, defaultValue: "main", description: "The branch." }),
    path: t.string({ required: true, defaultValue: ".", description: "The folder within the repository." }),
  }),
});

export const GitSourceChangeInputRef = builder.inputType("GitSourceChangeInput", {
  description: "Changes of a git source. An absent field is not changed; null is invalid.",
  fields: (t) => ({
    branch: t.string({ description: "The branch." }),
    path: t.string({ description: "The folder within the repository; `.` is the root." }),
  }),
});

const UploadSourceInputRef = builder.inputType("UploadSourceInput", {
  description: "A tar.gz archive that was uploaded by `POST /sources`, whose response has the id.",
  fields: (t) => ({
    uploadId: t.id({
      required: true,
      description: "The id of the upload. It expires after 24 hours if it is not used.",
    }),
  }),
});

export const WorkspaceSourceInputRef = builder.inputType("WorkspaceSourceInput", {
  description: "The source of the configuration: exactly one of these fields.",
  isOneOf: true,
  fields: (t) => ({
    directory: t.field({ type: DirectorySourceInputRef, description: "A folder on the server's disk." }),
    git: t.field({ type: GitSourceInputRef, description: "A folder of a git repository." }),
    upload: t.field({ type: UploadSourceInputRef, description: "An archive that was uploaded before." }),
  }),
});

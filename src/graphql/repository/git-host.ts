import type { GitHostCredential, GitHostKind } from "../../model/repository/git-host.ts";
import { hookPathOf } from "../../model/repository/git-host.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { GitHostRef, gitHostLoader, OrganizationRef, organizationLoader } from "../kit/refs.ts";
import { creatorField } from "../people/actor.ts";

const hostsOfOrganizationLoader = loaderOf((domain, caller, ids) => domain.gitHostsOfOrganizations(caller, ids));

export const GitHostKindEnum = describedEnum<GitHostKind>("GitHostKind", "The software of a git host.", {
  BITBUCKET_CLOUD: "Bitbucket Cloud.",
  BITBUCKET_SERVER: "Bitbucket Data Center.",
  FORGEJO: "Forgejo.",
  GIT: "Any server of git. It sends no hooks: its repositories are polled.",
  GITEA: "Gitea.",
  GITHUB: "GitHub, in the cloud or an enterprise server.",
  GITLAB: "GitLab, in the cloud or self-managed.",
});

const GitHostCredentialEnum = describedEnum<GitHostCredential>(
  "GitHostCredential",
  "How the server authenticates to a git host. The credential itself is never shown.",
  {
    APP: "By a GitHub App: a token for each repository, which may read it for an hour.",
    NONE: "It does not: the repositories are public.",
    SSH_KEY: "By a private key.",
    TOKEN: "By a user name and a token.",
  },
);

addNode("gitHost", "GitHost", gitHostLoader);
GitHostRef.implement({
  extensions: requiredPermissions("ORGANIZATION_UPDATE"),
  description: "A host of git repositories with its credential. Only admins see it.",
  interfaces: [NodeRef],
  fields: (t) => ({
    organization: t.field({
      type: OrganizationRef,
      description: "The organization of the host.",
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        present(await loaders.load(organizationLoader, organizationId), `Organization of ${id}`),
    }),
    kind: t.expose("kind", { type: GitHostKindEnum, description: "The software of the host." }),
    name: t.exposeString("name", { description: "The name, unique within the organization." }),
    url: t.exposeString("url", { description: "The address before the names of its repositories." }),
    credential: t.expose("credential", {
      type: GitHostCredentialEnum,
      description: "How the server authenticates to the host.",
    }),
    hookPath: t.string({
      nullable: true,
      description: "The path on this server to which the host sends hooks. `null` for the kind GIT, which sends none.",
      resolve: (host) => hookPathOf(host),
    }),
    hookUrl: t.exposeString("hookUrl", {
      nullable: true,
      description:
        "The address to which the host sends hooks. `null` for the kind GIT, and if HOLDPOINT_PUBLIC_URL is not set.",
    }),
    formerHookSecretUntil: t.expose("formerHookSecretUntil", {
      type: "DateTime",
      nullable: true,
      description: "Until when hooks may be signed with the former secret. `null` if there is none.",
    }),
    formerHookSecretUsedAt: t.expose("formerHookSecretUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "When a hook was last signed with the former secret. `null` if none was since the rotation.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    createdBy: t.field(creatorField()),
  }),
});

builder.objectField(OrganizationRef, "gitHosts", (t) =>
  t.field({
    type: [GitHostRef],
    extensions: requiredPermissions("ORGANIZATION_UPDATE"),
    description: "The git hosts of the organization, by name. Empty unless the caller is an admin.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(hostsOfOrganizationLoader, id),
  }),
);

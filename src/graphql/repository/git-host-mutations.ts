import type { GitHostWithSecret } from "../../domain/repository/git-host-commands.ts";
import type { InputFields } from "../kit/builder.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { GitHostRef } from "../kit/refs.ts";
import { deletedSuccess } from "../kit/success.ts";
import { GitHostKindEnum } from "./git-host.ts";

const NAME = "The name, unique within the organization: small letters, digits, hyphens, underscores and dots.";
const URL_TEXT =
  "The address before the names of repositories, such as https://github.com or ssh://git@git.example.com. An internal address is refused unless the server's settings allow it.";
const SECRET = "The secret that hooks are signed with: 16 to 200 characters of ASCII. If absent, one is generated.";

/** Builds the fields of an input that hold the credential of a host. */
const credentialInput = (t: InputFields) => ({
  username: t.string({ description: "The user name for the token. If absent, the one that the kind of host expects." }),
  token: t.string({ description: "A token that may read the repositories, for https." }),
  sshKey: t.string({ description: "A private key without a passphrase, for ssh." }),
  knownHosts: t.string({ description: "The public keys of the host as `ssh-keyscan` writes them, for ssh." }),
  appId: t.string({ description: "The id of a GitHub App that is installed for the repositories, for GITHUB." }),
  privateKey: t.string({ description: "A private key of the app: RSA, as PEM, without a passphrase." }),
});

interface GivenCredential {
  username?: string | null | undefined;
  token?: string | null | undefined;
  sshKey?: string | null | undefined;
  knownHosts?: string | null | undefined;
  appId?: string | null | undefined;
  privateKey?: string | null | undefined;
}

function credentialOf({ username, token, sshKey, knownHosts, appId, privateKey }: GivenCredential) {
  return {
    username: username ?? null,
    token: token ?? null,
    sshKey: sshKey ?? null,
    knownHosts: knownHosts ?? null,
    appId: appId ?? null,
    privateKey: privateKey ?? null,
  };
}

/** Builds the success type of a command that generates a secret. */
function secretSuccess(description: string): Success<GitHostWithSecret> {
  return {
    description,
    fields: (t) => ({
      gitHost: t.field({ type: GitHostRef, description: "The git host.", resolve: ({ value }) => value.gitHost }),
      hookSecret: t.string({
        description: "The secret to enter at the host. It is never shown again.",
        resolve: ({ value }) => value.hookSecret,
      }),
    }),
  };
}

mutation("createGitHost", {
  description: "Creates a host of git repositories.",
  argument: "The git host.",
  input: {
    description: "The git host to create. No connection is made until it has a repository.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization of the host." }),
      kind: t.field({ type: GitHostKindEnum, required: true, description: "The software of the host." }),
      name: t.string({ required: true, description: NAME }),
      url: t.string({ required: true, description: URL_TEXT }),
      ...credentialInput(t),
      hookSecret: t.string({ description: SECRET }),
    }),
  },
  success: secretSuccess("The git host was created."),
  run: ({ createGitHost }, caller, { input }) => {
    const { organizationId, kind, name, url, hookSecret } = input;
    const credential = credentialOf(input);
    return createGitHost(caller, { organizationId, kind, name, url, hookSecret: hookSecret ?? null, ...credential });
  },
});

mutation("updateGitHost", {
  description: "Changes a git host. Its repositories follow a new address.",
  argument: "The git host and its changes.",
  input: {
    description:
      "The changes to a git host. An absent field is not changed. A credential is replaced as a whole, and is required again for an address at another site.",
    fields: (t) => ({
      gitHostId: t.id({ required: true, description: "The git host to change." }),
      name: t.string({ description: NAME }),
      url: t.string({ description: URL_TEXT }),
      ...credentialInput(t),
      removeCredential: t.boolean({
        required: true,
        defaultValue: false,
        description: "Whether to delete the credential, for public repositories.",
      }),
    }),
  },
  success: {
    description: "The git host was changed.",
    fields: (t) => ({
      gitHost: t.field({ type: GitHostRef, description: "The git host.", resolve: ({ value }) => value }),
    }),
  },
  run: ({ updateGitHost }, caller, { input }) => {
    const { gitHostId, name, url, removeCredential } = input;
    return updateGitHost(caller, { gitHostId, name, url, removeCredential, ...credentialOf(input) });
  },
});

mutation("deleteGitHost", {
  description: "Deletes a git host without repositories.",
  argument: "The git host to delete.",
  input: {
    description: "The git host to delete.",
    fields: (t) => ({ gitHostId: t.id({ required: true, description: "The git host." }) }),
  },
  success: deletedSuccess("The git host and its credential are deleted.", "The id of the git host."),
  run: ({ deleteGitHost }, caller, { input }) => deleteGitHost(caller, input),
});

mutation("rotateHookSecret", {
  description: "Replaces the secret that the hooks of a git host are signed with.",
  argument: "The git host whose secret to replace, and how.",
  input: {
    description: "The git host whose secret to replace.",
    fields: (t) => ({
      gitHostId: t.id({ required: true, description: "The git host." }),
      hookSecret: t.string({ description: SECRET }),
      revokeNow: t.boolean({
        required: true,
        defaultValue: false,
        description: "Whether the old secret is refused at once. If false, both are accepted for one day.",
      }),
    }),
  },
  success: secretSuccess("The git host has a new secret."),
  run: ({ rotateHookSecret }, caller, { input }) =>
    rotateHookSecret(caller, { ...input, hookSecret: input.hookSecret ?? null }),
});

/** Hosts of git repositories as the API takes them, from their forms. */
import type { GitHostKind, UpdateGitHostInput } from "../generated/graphql.ts";
import { textOfField, wholeTextOfField } from "../parts/field.ts";
import { wordsOf } from "../parts/words.ts";

/** The kinds of hosts that a person can choose; the compiler finds one that is missing. */
export const HOST_KINDS: Readonly<Record<GitHostKind, string>> = {
  GITHUB: "GitHub",
  GITLAB: "GitLab",
  GITEA: "Gitea",
  FORGEJO: "Forgejo",
  BITBUCKET_CLOUD: "Bitbucket Cloud",
  BITBUCKET_SERVER: "Bitbucket Data Center",
  GIT: "Any server of git, which is polled",
};

const isKind = (value: string): value is GitHostKind => Object.hasOwn(HOST_KINDS, value);

/** Reads the kind of a host from the value of a choice. */
export const kindOf = (value: string): GitHostKind => (isKind(value) ? value : "GIT");

/** Writes the kind of a host; a later release may have more of them. */
export const wordsOfHost = (kind: string): string =>
  isKind(kind) && kind !== "GIT" ? HOST_KINDS[kind] : wordsOf(kind);

type Credential = Pick<
  UpdateGitHostInput,
  "username" | "token" | "sshKey" | "knownHosts" | "appId" | "privateKey" | "removeCredential"
>;

/** Reads the credential of a host. One that is kept, or that there is none of, has no fields. */
export function readCredential(form: HTMLFormElement): Credential {
  const text = (name: string): string | null => textOfField(form, name) || null;
  switch (textOfField(form, "credential")) {
    case "TOKEN":
      return { username: text("username"), token: text("token") };
    case "SSH_KEY":
      return { sshKey: wholeTextOfField(form, "sshKey"), knownHosts: wholeTextOfField(form, "knownHosts") };
    case "APP":
      return { appId: text("appId"), privateKey: wholeTextOfField(form, "privateKey") };
    case "REMOVE":
      return { removeCredential: true };
    default:
      return {};
  }
}

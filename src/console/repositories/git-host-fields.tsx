import { useState } from "react";
import type { GitHostCredential, GitHostRowFragment } from "../generated/graphql.ts";
import { ChoiceField, LinesField, TextField } from "../parts/text-field.tsx";
import { HOST_KINDS } from "./git-host-input.ts";

const CREDENTIALS: readonly (readonly [GitHostCredential, string])[] = [
  ["TOKEN", "A token, for https"],
  ["SSH_KEY", "A private key, for ssh"],
  ["APP", "A GitHub App"],
];
const NONE = ["NONE", "None: its repositories are public"] as const;
const KEPT = [
  ["KEEP", "Keep what it has"],
  ["REMOVE", "Remove it: its repositories are public"],
] as const;

/** The fields of a new git host, or of one that is changed: its credential is never shown. */
export function GitHostFields({ gitHost }: { gitHost?: GitHostRowFragment }) {
  const [credential, setCredential] = useState(gitHost === undefined ? "NONE" : "KEEP");
  return (
    <>
      {gitHost === undefined && <ChoiceField name="kind" label="Kind" choices={Object.entries(HOST_KINDS)} />}
      <TextField
        name="name"
        label="Name"
        required
        hint="Small letters, digits, hyphens, underscores, dots."
        defaultValue={gitHost?.name ?? ""}
      />
      <TextField
        name="url"
        label="Address"
        required
        hint="Before the paths of its repositories: https://github.com, or ssh://git@git.example.com."
        defaultValue={gitHost?.url ?? ""}
      />
      <ChoiceField
        name="credential"
        label="Credential"
        choices={gitHost === undefined ? [NONE, ...CREDENTIALS] : [...KEPT, ...CREDENTIALS]}
        onChoose={setCredential}
      />
      <CredentialFields credential={credential} />
    </>
  );
}

function CredentialFields({ credential }: { credential: string }) {
  if (credential === "TOKEN") {
    return (
      <>
        <TextField name="username" label="User name" hint="If you leave it empty, what the kind of host expects." />
        <TextField name="token" label="Token" type="password" required hint="It may read the repositories." />
      </>
    );
  }
  if (credential === "SSH_KEY") {
    return (
      <>
        <LinesField name="sshKey" label="Private key" required rows={4} hint="Without a passphrase." />
        <LinesField name="knownHosts" label="Keys of the host" required rows={2} hint="As ssh-keyscan writes them." />
      </>
    );
  }
  if (credential !== "APP") return null;
  return (
    <>
      <TextField name="appId" label="Id of the app" required hint="It is installed for the repositories." />
      <LinesField name="privateKey" label="Private key" required rows={4} hint="RSA, as PEM." />
    </>
  );
}

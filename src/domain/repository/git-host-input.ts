/** Checks of the input of commands about hosts of git repositories. */
import { createPrivateKey } from "node:crypto";
import { LIMITS } from "../../model/kit/limits.ts";
import {
  defaultUsername,
  type GitHostKind,
  type HostCredential,
  parseHostUrl,
} from "../../model/repository/git-host.ts";
import { GitSourceRefused, type GitUrl } from "../../model/workspace/git-source.ts";
import type { InputCheck } from "../kit/input.ts";

/** How git authenticates to a host. All `null`: it does not, or an update leaves the credential as it is. */
export interface CredentialInput {
  username: string | null;
  token: string | null;
  sshKey: string | null;
  knownHosts: string | null;
  appId: string | null;
  privateKey: string | null;
}

const NAME = /^[a-z0-9][a-z0-9_.-]*$/;

export function checkHostName(check: InputCheck, name: string): void {
  const ok = NAME.test(name) && name.length <= LIMITS.slugLength;
  const max = LIMITS.slugLength;
  check.require(
    ok,
    "name",
    `must have 1 to ${max} small letters, digits, "-", "_" and ".", the first a letter or digit.`,
  );
}

/** Parses the address of a host; `null` if it is refused. */
export function checkHostUrl(check: InputCheck, kind: GitHostKind, text: string): GitUrl | null {
  try {
    return parseHostUrl(kind, text);
  } catch (error) {
    if (!(error instanceof GitSourceRefused)) throw error;
    check.refuse("url", error.message);
    return null;
  }
}

/** Checks that a credential fits the address, and returns it as it is stored. */
export function checkCredential(
  check: InputCheck,
  kind: GitHostKind,
  protocol: GitUrl["protocol"] | undefined,
  input: CredentialInput,
): HostCredential {
  const { username, token, sshKey, knownHosts, appId, privateKey } = input;
  if (appId !== null || privateKey !== null) return checkApp(check, kind, protocol, input);
  for (const field of ["username", "token"] as const) checkLine(check, field, input[field]);
  for (const field of ["sshKey", "knownHosts"] as const) checkFile(check, field, input[field]);
  if (protocol === "ssh") {
    check.require(token === null, "token", "is for https:// alone; ssh:// takes sshKey and knownHosts.");
    check.require(sshKey !== null, "sshKey", "is required for ssh://: a private key without a passphrase.");
    check.require(knownHosts !== null, "knownHosts", "is required for ssh://: the lines of ssh-keyscan for the host.");
  } else {
    check.require(sshKey === null, "sshKey", "is for ssh:// alone.");
    check.require(knownHosts === null, "knownHosts", "is for ssh:// alone.");
  }
  check.require(protocol !== "file" || token === null, "token", "is for https:// alone.");
  check.require(username === null || token !== null, "username", "is used with a token alone.");
  if (sshKey !== null) return { type: "SSH_KEY", key: ended(sshKey), knownHosts: ended(knownHosts ?? "") };
  if (token !== null) return { type: "TOKEN", username: username ?? defaultUsername(kind), token };
  return { type: "NONE" };
}

/** Checks the credential of a GitHub App, beside which there is no other one. */
function checkApp(
  check: InputCheck,
  kind: GitHostKind,
  protocol: GitUrl["protocol"] | undefined,
  input: CredentialInput,
): HostCredential {
  const { appId, privateKey } = input;
  check.require(kind === "GITHUB" && protocol === "https", "appId", "is for hosts of the kind GITHUB, over https://.");
  const isId = appId !== null && /^[\w.-]{1,100}$/.test(appId);
  check.require(isId, "appId", "is required with privateKey: the id of the app or its client id.");
  const isKey = privateKey !== null && privateKey.length <= LIMITS.gitKeyLength && isRsaKey(privateKey);
  check.require(isKey, "privateKey", "is required with appId: a private RSA key as PEM, without a passphrase.");
  for (const field of ["username", "token", "sshKey", "knownHosts"] as const) {
    check.require(input[field] === null, field, "cannot be combined with appId.");
  }
  return { type: "APP", appId: appId ?? "", privateKey: privateKey ?? "" };
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/** Git reads credentials line by line. */
function checkLine(check: InputCheck, path: string, text: string | null): void {
  const ok = text === null || (/^[\x21-\x7e]+$/.test(text) && text.length <= LIMITS.gitCredentialLength);
  check.require(
    ok,
    path,
    `must have 1 to ${LIMITS.gitCredentialLength} characters of ASCII on one line, without blanks.`,
  );
}

function checkFile(check: InputCheck, path: string, text: string | null): void {
  const ok =
    text === null || (text.trim() !== "" && text.length <= LIMITS.gitKeyLength && !/[^\t\r\n\x20-\x7e]/.test(text));
  check.require(ok, path, `must have 1 to ${LIMITS.gitKeyLength} characters of ASCII.`);
}

/** Ends a key with a line break, without which ssh cannot read it. */
function ended(text: string): string {
  return `${text.replaceAll("\r\n", "\n").trimEnd()}\n`;
}

/** Checks a hook secret that the caller has chosen. */
export function checkHookSecret(check: InputCheck, secret: string | null): void {
  const { least, most } = LIMITS.hookSecretLength;
  const ok = secret === null || (/^[\x21-\x7e]+$/.test(secret) && secret.length >= least && secret.length <= most);
  check.require(ok, "hookSecret", `must have ${least} to ${most} characters of ASCII without blanks.`);
}

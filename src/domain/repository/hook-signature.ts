/** Verifies that a delivery comes from a host that knows the secret. */
import { createHmac } from "node:crypto";
import type { GitHostKind } from "../../model/repository/git-host.ts";
import type { HookHeaders } from "../../model/repository/hook-event.ts";
import { isEqualText } from "../kit/equal-text.ts";
import { isSignedMessage } from "../webhook/signature.ts";

/** Whether a delivery was signed with a secret. The signature covers the bytes of the body as they arrived. */
export function isSignedWith(secret: string, kind: GitHostKind, headers: HookHeaders, body: Buffer): boolean {
  const header = (name: string): string | null => {
    const value = headers[name];
    return typeof value === "string" ? value : null;
  };
  switch (kind) {
    case "GITHUB":
      return isHex(header("x-hub-signature-256"), "sha256=", secret, body);
    case "BITBUCKET_CLOUD":
    case "BITBUCKET_SERVER":
      return isHex(header("x-hub-signature"), "sha256=", secret, body);
    case "FORGEJO":
    case "GITEA":
      return isHex(header("x-forgejo-signature") ?? header("x-gitea-signature"), "", secret, body);
    case "GITLAB":
      return isStandard(secret, header, body) || isEqual(header("x-gitlab-token"), secret);
    case "GIT":
      return false;
  }
}

function isHex(given: string | null, prefix: string, secret: string, body: Buffer): boolean {
  return isEqual(given, prefix + createHmac("sha256", secret).update(body).digest("hex"));
}

/** By the specification Standard Webhooks. A repeated delivery only makes one more look, so its age does not matter. */
function isStandard(secret: string, header: (name: string) => string | null, body: Buffer): boolean {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(header);
  if (!id || !timestamp || !signatures) return false;
  return isSignedMessage({ id, timestamp, body }, signatures.split(" "), secret);
}

function isEqual(given: string | null, wanted: string): boolean {
  return given !== null && isEqualText(given, wanted);
}

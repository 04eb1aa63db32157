/** Verifies that a delivery comes from a host that knows the secret. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { GitHostKind } from "../../model/repository/git-host.ts";
import type { HookHeaders } from "../../model/repository/hook-event.ts";

const SIGNING_TOKEN = "whsec_";

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
  const isToken = secret.startsWith(SIGNING_TOKEN);
  const key = isToken ? Buffer.from(secret.slice(SIGNING_TOKEN.length), "base64") : Buffer.from(secret);
  const wanted = `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
  return signatures.split(" ").some((given) => isEqual(given, wanted));
}

/** Compares in a time that does not depend on where two texts differ. */
function isEqual(given: string | null, wanted: string): boolean {
  if (given === null) return false;
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

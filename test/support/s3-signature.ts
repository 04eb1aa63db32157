/** Checks AWS Signature Version 4 of a request to S3, from its specification and without the client's code. */
import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface KnownKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

/** Headers that S3 wants signed. */
const SIGNED_IF_SENT = /^(?:host|x-amz-.+)$/;
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(?<id>[^/]+)\/(?<scope>(?<date>\d{8})\/(?<region>[\w-]+)\/s3\/aws4_request), SignedHeaders=(?<signed>[\w;-]+), Signature=(?<signature>[0-9a-f]{64})$/;

/** Gives the code of the error with which S3 answers; null if the request is signed by one of the keys. */
export function signatureError(request: IncomingMessage, keys: readonly KnownKey[], region: string): string | null {
  const { headers, method = "", url = "" } = request;
  const found = AUTHORIZATION.exec(headers.authorization ?? "")?.groups;
  if (found === undefined) return "AccessDenied";
  const { id = "", scope = "", date = "", signed = "", signature = "" } = found;
  const key = keys.find(({ accessKeyId }) => accessKeyId === id);
  if (key === undefined) return "InvalidAccessKeyId";
  if ((headers["x-amz-security-token"] ?? null) !== key.sessionToken) return "InvalidToken";
  const names = signed.split(";");
  const unsigned = Object.keys(headers).filter((name) => SIGNED_IF_SENT.test(name) && !names.includes(name));
  if (unsigned.length > 0 || found["region"] !== region) return "SignatureDoesNotMatch";
  const [path = "", query = ""] = url.split("?");
  const at = String(headers["x-amz-date"]);
  const canonical = [
    method,
    path,
    query.split("&").toSorted().join("&"),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signed,
    String(headers["x-amz-content-sha256"]),
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", at, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const signingKey = [date, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${key.secretAccessKey}`);
  return hmac(signingKey, toSign).toString("hex") === signature ? null : "SignatureDoesNotMatch";
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { type Arguments, type Builtin, type Builtins, stringAt } from "./operands.ts";

const hash =
  (algorithm: string): Builtin =>
  (args) =>
    createHash(algorithm).update(stringAt(args, 0)).digest("hex");

const hmac =
  (algorithm: string): Builtin =>
  (args) =>
    createHmac(algorithm, stringAt(args, 1)).update(stringAt(args, 0)).digest("hex");

function isEqualMac(args: Arguments): boolean {
  const [a, b] = [Buffer.from(stringAt(args, 0)), Buffer.from(stringAt(args, 1))];
  return a.length === b.length && timingSafeEqual(a, b);
}

export const CRYPTO: Builtins = {
  "crypto.md5": hash("md5"),
  "crypto.sha1": hash("sha1"),
  "crypto.sha256": hash("sha256"),
  "crypto.hmac.md5": hmac("md5"),
  "crypto.hmac.sha1": hmac("sha1"),
  "crypto.hmac.sha256": hmac("sha256"),
  "crypto.hmac.sha512": hmac("sha512"),
  "crypto.hmac.equal": isEqualMac,
};

/** The credential of an external check for one result: derived from the master key, so that a repeated request has it too. */
import { idKind } from "../../model/kit/id.ts";
import type { ExternalCheckResult } from "../../model/check/external-check.ts";
import type { Cipher } from "../../persistence/installation/cipher.ts";
import { isEqualText } from "../kit/equal-text.ts";

const PREFIX = "hpk_";
const TOKEN_LENGTH = 200;

/** The credential of one round of a result: `hpk_<result id>.<round>.<mac>`. */
export function checkToken(cipher: Cipher, { id, round }: Pick<ExternalCheckResult, "id" | "round">): string {
  const content = `${id}.${round}`;
  return `${PREFIX}${content}.${cipher.mac("check-token", content).toString("base64url")}`;
}

/** Returns the result and the round of a credential; `null` if it is not one of ours. */
export function readCheckToken(cipher: Cipher, secret: string): { id: string; round: number } | null {
  if (!secret.startsWith(PREFIX) || secret.length > TOKEN_LENGTH) return null;
  const [id = "", text = ""] = secret.slice(PREFIX.length).split(".");
  const round = Number(text);
  if (idKind(id) !== "externalCheckResult" || !/^[1-9]\d{0,8}$/.test(text)) return null;
  return isEqualText(secret, checkToken(cipher, { id, round })) ? { id, round } : null;
}

/** Receives hooks of git hosts: hints that refs may have moved. */
import { createHash } from "node:crypto";
import { deliveryIdOf, type HookHeaders, refEventOf, repositoryIn } from "../../model/repository/hook-event.ts";
import { findHookDoor } from "../../persistence/repository/git-host-store.ts";
import { recordHint } from "../../persistence/repository/hint-store.ts";
import type { Deps } from "../kit/deps.ts";
import { isSignedWith } from "./hook-signature.ts";

/** A request of a host, or of a sender that claims to be one. */
export interface HookDelivery {
  /** The last part of the path of the request. */
  hookPath: string;
  headers: HookHeaders;
  body: Buffer;
}

/**
 * ACCEPTED: refs are read soon. REPEATED: so too; the delivery came before. IGNORED: refs do not move by such an event, or
 * the repository is not known. UNAUTHENTIC: nothing was stored.
 */
export const HOOK_RESULTS = ["ACCEPTED", "REPEATED", "IGNORED", "UNAUTHENTIC"] as const;
export type HookResult = (typeof HOOK_RESULTS)[number];

/** Receives a delivery. */
export type ReceiveHook = (delivery: HookDelivery) => Promise<HookResult>;

const HOOK_PATH = /^[\w-]{1,100}$/;

/** Creates the receiver. One statement stores a hint; its body is never stored. */
export function createReceiveHook({
  database,
  cipher,
  clock,
}: Pick<Deps, "database" | "cipher" | "clock">): ReceiveHook {
  return async ({ hookPath, headers, body }) => {
    const at = clock().toISOString();
    const door = HOOK_PATH.test(hookPath) ? await findHookDoor(database, cipher, hookPath, at) : null;
    if (door === null) return "UNAUTHENTIC";
    const { id: gitHostId, kind, secret, formerSecret } = door;
    const isSigned = isSignedWith(secret, kind, headers, body);
    const byFormer = !isSigned && formerSecret !== null && isSignedWith(formerSecret, kind, headers, body);
    if (!isSigned && !byFormer) return "UNAUTHENTIC";
    const event = refEventOf(kind, headers);
    const repository = event === null ? null : repositoryIn(kind, jsonOf(headers, body));
    if (event === null || repository === null) return "IGNORED";
    // A host that gives no id is known by what it sends.
    const deliveryId = deliveryIdOf(kind, headers) ?? createHash("sha256").update(body).digest("hex");
    const hint = { gitHostId, deliveryId, event, ...repository, at, byFormer };
    return database.statement(async (statement) => {
      const { isNew, isKnown } = await recordHint(statement, hint);
      if (!isKnown) return "IGNORED";
      statement.announce("repositories");
      return isNew ? "ACCEPTED" : "REPEATED";
    });
  };
}

/** Returns the JSON of a body, which a host may send as the field of a form. */
function jsonOf(headers: HookHeaders, body: Buffer): Buffer {
  const type = headers["content-type"];
  if (typeof type !== "string" || !type.startsWith("application/x-www-form-urlencoded")) return body;
  return Buffer.from(new URLSearchParams(body.toString()).get("payload") ?? "");
}

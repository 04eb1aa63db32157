/** Deliveries of other systems to inbound hooks. */
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { workspacePlace } from "../../model/people/place.ts";
import type { Json } from "../../model/plan/json.ts";
import { type InboundHook, inboundMetadata } from "../../model/schedule/inbound-hook.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import { RightsChanged, type Transaction } from "../../persistence/database/database.ts";
import {
  findDelivery,
  findHookWithSecrets,
  lockInboundHook,
  recordDelivery,
} from "../../persistence/schedule/inbound-hook-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { openChangeset } from "../changeset/open-changeset.ts";
import type { Deps } from "../kit/deps.ts";
import { isEqualText } from "../kit/equal-text.ts";
import { callerOfOwner } from "../sign-in/owner-caller.ts";
import { underRightsOf } from "../sign-in/rights-in-use.ts";
import { isSignedMessage } from "../webhook/signature.ts";

/** The headers by which a delivery is known and proved; empty where they are absent. */
export interface DeliveryProof {
  /** `webhook-id`. */
  id: string;
  /** `webhook-timestamp`, in seconds. */
  timestamp: string;
  /** `webhook-signature`. */
  signature: string;
  /** The secret itself, sent as a bearer token. */
  bearer: string;
}

/** The result of a delivery. `null` as the id of the changeset: it had no runs, for the problem. */
export interface AcceptedDelivery {
  changesetId: string | null;
  problem: string | null;
  /** Whether it was accepted before. */
  repeated: boolean;
}

export interface InboundHooks {
  /** Returns the hook that a delivery proves to be for; `null` if it proves nothing. */
  authenticate(hookId: string, proof: DeliveryProof, body: Buffer): Promise<InboundHook | null>;
  /** Makes the runs of a delivery, once. */
  accept(hook: InboundHook, deliveryId: string, body: Json): Promise<AcceptedDelivery>;
}

/** How often a delivery is tried again because rights changed while it was accepted. */
const TRIES = 5;

export function createInboundHooks(deps: Deps): InboundHooks {
  return {
    async authenticate(hookId, proof, body) {
      if (idKind(hookId) !== "inboundHook") return null;
      const found = await findHookWithSecrets(deps.database, deps.cipher, hookId, deps.clock().toISOString());
      return found !== null && isProved(found.secrets, proof, body, deps.clock()) ? found.hook : null;
    },
    async accept(hook, deliveryId, body) {
      for (let tried = 1; ; tried++) {
        try {
          return await accept(deps, hook, deliveryId, body);
        } catch (error) {
          if (!(error instanceof RightsChanged) || tried === TRIES) throw error;
        }
      }
    },
  };
}

/** Whether a delivery has one of the secrets, or a signature of the last minutes by one. Compared in constant time. */
function isProved(secrets: readonly string[], proof: DeliveryProof, body: Buffer, at: Date): boolean {
  if (proof.bearer !== "") return secrets.some((secret) => isEqualText(proof.bearer, secret));
  const timestamp = /^\d{1,12}$/.test(proof.timestamp) ? Number(proof.timestamp) : Number.NaN;
  const isRecent = Math.abs(at.getTime() - timestamp * 1000) <= LIMITS.inboundToleranceMs;
  if (!isRecent || proof.id === "") return false;
  const given = proof.signature.split(" ").slice(0, LIMITS.inboundSignatures);
  return secrets.some((secret) => isSignedMessage({ id: proof.id, timestamp, body }, given, secret));
}

async function accept(deps: Deps, hook: InboundHook, deliveryId: string, body: Json): Promise<AcceptedDelivery> {
  const caller = await callerOfOwner(deps, { credentialId: hook.id, ownerId: hook.ownerId });
  const within = caller === null ? deps : underRightsOf(deps, caller);
  return within.database.transaction(async (tx) => {
    // Deliveries of one hook are accepted one by one.
    if ((await lockInboundHook(tx, hook.id)) === null) return { changesetId: null, problem: GONE, repeated: false };
    const earlier = await findDelivery(tx, hook.id, deliveryId);
    if (earlier !== undefined) return { changesetId: earlier, problem: null, repeated: true };
    const { workspaceIds, problem } = await targetsOf(tx, hook, caller);
    const metadata = inboundMetadata(hook.mapping, body, LIMITS.metadataValueLength);
    const cause = { type: "INBOUND_HOOK", hookId: hook.id, deliveryId, metadata } as const;
    const changeset =
      workspaceIds.length === 0
        ? null
        : await openChangeset(tx, deps, {
            organizationId: hook.organizationId,
            source: "INBOUND_HOOK",
            title: hook.name,
            commit: null,
            kind: hook.kind,
            trigger: "INBOUND_HOOK",
            members: workspaceIds.map((workspaceId) => ({ workspaceId, cause })),
            createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: hook.id },
          });
    const at = deps.clock();
    const keptSince = new Date(at.getTime() - LIMITS.inboundDeliveryKeptMs).toISOString();
    const changesetId = changeset?.id ?? null;
    await recordDelivery(tx, hook.id, { id: deliveryId, at: at.toISOString(), changesetId, problem, keptSince });
    return { changesetId, problem, repeated: false };
  });
}

const GONE = "The hook was deleted.";

/** The workspaces of a hook in which its owner may make its runs now. */
async function targetsOf(
  tx: Transaction,
  hook: InboundHook,
  caller: ActorCaller | null,
): Promise<{ workspaceIds: string[]; problem: string | null }> {
  if (caller === null) return { workspaceIds: [], problem: "The owner of the hook was disabled. Create it again." };
  const permission = permissionToRun(hook.kind);
  const found = await findWorkspaces(tx, hook.workspaceIds);
  const workspaceIds = found.flatMap((workspace) =>
    workspace !== null && can(caller, permission, workspacePlace(workspace)) ? [workspace.id] : [],
  );
  const left = hook.workspaceIds.length - workspaceIds.length;
  const count = left === 1 ? "1 workspace" : `${left} workspaces`;
  const problem = `${count}: it was deleted, or the owner of the hook has no longer the permission ${permission}.`;
  return { workspaceIds, problem: left === 0 ? null : problem };
}

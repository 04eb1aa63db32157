import type { ExternalCheck } from "../../model/check/external-check.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { updateCheckRow } from "../../persistence/check/check-store.ts";
import { deleteRequestsOfCheck } from "../../persistence/check/check-request-store.ts";
import { hastenRequests, hastenResults } from "../../persistence/check/check-result-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { checkEstimates, checkHmacKey, checkStages, checkTimes } from "../check/check-input.ts";
import { authorize } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { checkSelectedWorkspaces, checkSelector, storedSelector } from "../policy/selector-input.ts";
import {
  checkNameTaken,
  commandCheckInSteps,
  lockAgain,
  originOf,
  placeOfCheck,
  readHmacKey,
} from "./check-command.ts";
import type { UpdateExternalCheckInput } from "./check-domain.ts";
import { checkAddress, checkPool, CHOOSES_POOL, holdPool } from "./pool-choice.ts";
import { requireAddress } from "./test-address.ts";

/** Fields that cannot be cleared. */
const FIELDS = [
  "name",
  "url",
  "stages",
  "level",
  "onError",
  "estimatesCost",
  "selector",
  "progressSeconds",
  "totalSeconds",
  "enabled",
] as const;

/**
 * Updates a check. Another address, key or pool is tested first. Open results keep the level, the error mode and the limits with
 * which they began; they use the new address and key, and disabling the check cancels them.
 */
export function updateExternalCheck(
  deps: Deps,
  caller: ActorCaller,
  input: UpdateExternalCheckInput,
): Promise<ExternalCheck> {
  const { checkId, hmacKey } = input;
  const spec = {
    name: "updateExternalCheck",
    checkId,
    check: async (check: InputCheck, before: ExternalCheck, reader: Reader) => {
      const after = changed(before, input);
      const isElsewhere = after.viaPoolId !== before.viaPoolId || after.url !== before.url;
      // Another address of a check that runners ask is as much as another pool.
      if (isElsewhere && after.viaPoolId !== null) authorize(caller, CHOOSES_POOL, placeOfCheck(before));
      checkInput(deps, check, input, before);
      if (after.viaPoolId !== null && after.viaPoolId !== before.viaPoolId) {
        await checkPool(check, reader, before.organizationId, after.viaPoolId);
      }
      if (check.hasIssues) return;
      const selected = { caller, organizationId: before.organizationId, before: before.selector };
      await checkSelectedWorkspaces(reader, check, { path: "selector", selector: after.selector }, selected);
    },
  };
  return commandCheckInSteps(deps, caller, spec, async (before, check) => {
    check.done();
    const tested = changed(before, input);
    const isElsewhere = tested.url !== before.url || tested.viaPoolId !== before.viaPoolId;
    if (tested.enabled && (isElsewhere || hmacKey !== undefined)) {
      const [organization = null] = await findOrganizations(deps.database, [before.organizationId]);
      if (organization === null) throw new Error(`The organization of ${checkId} is missing.`);
      const key = hmacKey === undefined ? await readHmacKey(deps, checkId) : hmacKey;
      await requireAddress(deps, originOf(deps, "url"), organization, { ...tested, hmacKey: key });
    }
    return deps.database.transaction(async (tx) => {
      const now = await lockAgain(tx, caller, checkId);
      const after = changed(now, input);
      if (after.progressSeconds > after.totalSeconds) {
        throw invalidField("progressSeconds", "must be at most totalSeconds, which was changed meanwhile.");
      }
      if (after.estimatesCost && !after.stages.includes("POST_PLAN")) {
        throw invalidField("estimatesCost", "needs the stage POST_PLAN, which was removed meanwhile.");
      }
      const isMoved = after.viaPoolId !== now.viaPoolId;
      if (isMoved) await holdPool(tx, now.organizationId, after.viaPoolId);
      await updateCheckRow(tx, deps.cipher, after, hmacKey);
      const at = deps.clock().toISOString();
      if (now.enabled && !after.enabled) await hastenResults(tx, checkId, at);
      if (isMoved) {
        await hastenRequests(tx, checkId, at);
        await deleteRequestsOfCheck(tx, checkId);
      }
      return after;
    });
  }).catch((error: unknown) => {
    throw checkNameTaken(error, input.name ?? "");
  });
}

function checkInput(
  deps: Pick<Deps, "webhookAllow">,
  check: InputCheck,
  input: UpdateExternalCheckInput,
  before: ExternalCheck,
): void {
  for (const field of FIELDS) check.require(input[field] !== null, field, "cannot be cleared.");
  const after = changed(before, input);
  check.label("name", after.name);
  if (typeof input.url === "string" || input.viaPoolId !== undefined) checkAddress(check, after, deps);
  checkHmacKey(check, input.hmacKey ?? null);
  checkStages(check, after.stages);
  checkEstimates(check, after.estimatesCost, after.stages);
  checkSelector(check, "selector", after.selector);
  checkTimes(check, after.progressSeconds, after.totalSeconds);
}

function changed(before: ExternalCheck, input: UpdateExternalCheckInput): ExternalCheck {
  return {
    ...before,
    name: input.name ?? before.name,
    url: input.url ?? before.url,
    viaPoolId: input.viaPoolId === undefined ? before.viaPoolId : input.viaPoolId,
    signed: input.hmacKey === undefined ? before.signed : input.hmacKey !== null,
    stages: input.stages ?? before.stages,
    level: input.level ?? before.level,
    onError: input.onError ?? before.onError,
    estimatesCost: input.estimatesCost ?? before.estimatesCost,
    selector: storedSelector(input.selector ?? before.selector),
    progressSeconds: input.progressSeconds ?? before.progressSeconds,
    totalSeconds: input.totalSeconds ?? before.totalSeconds,
    enabled: input.enabled ?? before.enabled,
  };
}

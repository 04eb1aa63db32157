import type { ExternalCheck } from "../../model/check/external-check.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, notFound } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import { insertCheck, listChecks } from "../../persistence/check/check-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { authorize, commandInSteps } from "../access/command.ts";
import { checkEstimates, checkHmacKey, checkStages, checkTimes } from "../check/check-input.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { checkSelectedWorkspaces, checkSelector, storedSelector } from "../policy/selector-input.ts";
import { lookUpOrganization } from "../organization/look-up-organization.ts";
import { CHANGES_CHECKS, checkNameTaken, originOf } from "./check-command.ts";
import { checkAddress, checkPool, CHOOSES_POOL, holdPool } from "./pool-choice.ts";
import type { CreateExternalCheckInput } from "./check-domain.ts";
import { requireAddress } from "./test-address.ts";

/** Creates a check, after its service has answered a test with 200. */
export function createExternalCheck(
  deps: Deps,
  caller: ActorCaller,
  input: CreateExternalCheckInput,
): Promise<ExternalCheck> {
  const { organizationId, name, url, hmacKey, viaPoolId } = input;
  const spec = {
    ...CHANGES_CHECKS,
    name: "createExternalCheck",
    subjectId: organizationId,
    noun: "organization",
    find: (reader: Reader) => lookUpOrganization(reader, organizationId),
    placeOf: organizationPlace,
    sight: "ORGANIZATION_READ",
    demands: viaPoolId === null ? [] : [CHOOSES_POOL],
    check: async (check: InputCheck, _organization: Organization, reader: Reader) => {
      check.label("name", name);
      checkAddress(check, { url, viaPoolId }, deps);
      checkHmacKey(check, hmacKey);
      checkStages(check, input.stages);
      checkEstimates(check, input.estimatesCost, input.stages);
      checkSelector(check, "selector", input.selector);
      checkTimes(check, input.progressSeconds, input.totalSeconds);
      if (viaPoolId !== null) await checkPool(check, reader, organizationId, viaPoolId);
      if (check.hasIssues) return;
      const selected = { caller, organizationId, before: null };
      await checkSelectedWorkspaces(reader, check, { path: "selector", selector: input.selector }, selected);
    },
  } as const;
  return commandInSteps(deps, caller, spec, async (organization, check) => {
    check.done();
    await requireRoom(deps.database, organizationId);
    await requireAddress(deps, originOf(deps, "url"), organization, input);
    return insert(deps, caller, organization, input);
  }).catch((error: unknown) => {
    throw checkNameTaken(error, name);
  });
}

function insert(
  deps: Deps,
  caller: ActorCaller,
  organization: Organization,
  { hmacKey, ...settings }: CreateExternalCheckInput,
): Promise<ExternalCheck> {
  return deps.database.transaction(async (tx) => {
    if ((await lookUpOrganization(tx, organization.id)) === null) throw notFound("organization");
    authorize(caller, CHANGES_CHECKS, organizationPlace(organization));
    await holdPool(tx, organization.id, settings.viaPoolId);
    const created: ExternalCheck = {
      ...settings,
      selector: storedSelector(settings.selector),
      id: deps.newId("externalCheck"),
      signed: hmacKey !== null,
      enabled: true,
      createdById: caller.actor.id,
      createdAt: deps.clock().toISOString(),
    };
    await insertCheck(tx, deps.cipher, created, hmacKey);
    return created;
  });
}

/** Concurrent requests may exceed the limit, which only bounds a runaway script. */
async function requireRoom(reader: Reader, organizationId: string): Promise<void> {
  const [others = []] = await listChecks(reader, [organizationId]);
  const most = LIMITS.externalChecksPerOrganization;
  if (others.length < most) return;
  throw invalidField("organizationId", `has ${most} external checks, which is the limit. Delete one first.`);
}

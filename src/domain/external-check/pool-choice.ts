/** The choice of the runner pool that sends the requests of a check. */
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import type { ExternalCheck } from "../../model/check/external-check.ts";
import { idKind } from "../../model/kit/id.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { findRunnerPools, holdRunnerPool } from "../../persistence/runner/runner-pool-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { checkTargetUrl } from "../network/target-url.ts";

/** A runner sends the requests in its own network, so its choice is a right of those who choose runners. */
export const CHOOSES_POOL = {
  permission: "RUNNER_CHOOSE",
  words: "choosing the runners that send the requests of external checks",
} as const;

const NO_POOL = "is no runner pool of the organization.";

/** The targets that settings of a runner, which the server does not know, may allow. */
const REACHED_BY_RUNNERS: readonly AllowedTarget[] = [
  { type: "private" },
  { type: "network", address: "0.0.0.0", prefix: 0, port: null },
  { type: "network", address: "::", prefix: 0, port: null },
  // Wide networks do not name the machine itself.
  { type: "network", address: "127.0.0.0", prefix: 8, port: null },
  { type: "network", address: "::1", prefix: 128, port: null },
];

/** Checks the address of a service, by the rules of those who send the requests. */
export function checkAddress(
  check: InputCheck,
  { url, viaPoolId }: Pick<ExternalCheck, "url" | "viaPoolId">,
  { webhookAllow }: Pick<Deps, "webhookAllow">,
): void {
  if (viaPoolId === null) return checkTargetUrl(check, url, webhookAllow);
  const refused = "must not be a link-local address or the metadata service of a cloud: no runner reaches them.";
  checkTargetUrl(check, url, REACHED_BY_RUNNERS, refused);
}

/** Checks a pool that is chosen, before a test is sent by it. */
export async function checkPool(
  check: InputCheck,
  reader: Reader,
  organizationId: string,
  poolId: string,
): Promise<void> {
  const [pool = null] = idKind(poolId) === "runnerPool" ? await findRunnerPools(reader, [poolId]) : [];
  check.require(pool?.organizationId === organizationId, "viaPoolId", NO_POOL);
}

/** Locks the pool of a check against deletion until the check is written. */
export async function holdPool(tx: Transaction, organizationId: string, poolId: string | null): Promise<void> {
  if (poolId === null) return;
  const pool = await holdRunnerPool(tx, poolId);
  if (pool?.organizationId !== organizationId) throw invalidField("viaPoolId", NO_POOL);
}

import type { LookupFunction } from "node:net";
import type { AllowedTarget } from "../model/kit/allowed-target.ts";
import { isRefusedLiteral, type Target } from "../network/address-guard.ts";
import { guardedLookup, type Resolve, TargetRefused } from "../network/guarded-lookup.ts";

/** The addresses that a prober may connect to. */
export interface ConnectionRules {
  /** Targets that are allowed although their address is not public. */
  allowed: readonly AllowedTarget[];
  /** Absent: the system resolves names. */
  resolve?: Resolve | undefined;
  /** Certificates of authorities in place of those of Node. */
  ca?: Buffer | undefined;
}

/** Creates the look-up of a connection. Throws TargetRefused if the host is an address that is refused. */
export function lookupFor(target: Target, { allowed, resolve }: ConnectionRules): LookupFunction {
  if (isRefusedLiteral(target, allowed)) throw new TargetRefused();
  return guardedLookup(target, allowed, resolve);
}

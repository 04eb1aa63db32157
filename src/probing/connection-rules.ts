import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { AllowedTarget } from "../model/kit/allowed-target.ts";
import { isRefusedLiteral, literalAddress, type Target } from "../network/address-guard.ts";
import { guardedLookup, type Resolve, TargetRefused } from "../network/guarded-lookup.ts";

/** The addresses that a prober may connect to. */
export interface ConnectionRules {
  /** Targets that are allowed although their address is not public. */
  allowed: readonly AllowedTarget[];
  /** Whether an address is refused also if `allowed` names it. Absent: none is. */
  isForbidden?: ((address: string, port: number) => boolean) | undefined;
  /** Absent: the system resolves names. */
  resolve?: Resolve | undefined;
  /** Certificates of authorities in place of those of Node. */
  ca?: Buffer | undefined;
}

/** Creates the look-up of a connection. Throws TargetRefused if the host is an address that is refused. */
export function lookupFor(target: Target, { allowed, resolve, isForbidden }: ConnectionRules): LookupFunction {
  const literal = literalAddress(target);
  if (isRefusedLiteral(target, allowed)) throw new TargetRefused();
  if (isForbidden === undefined) return guardedLookup(target, allowed, resolve);
  if (literal !== null && isForbidden(literal, target.port)) throw new TargetRefused();
  return guardedLookup(target, allowed, (name, options, done) => {
    (resolve ?? systemLookup)(name, options, (error, addresses) => {
      const refused = (addresses ?? []).some(({ address }) => isForbidden(address, target.port));
      done(refused ? new TargetRefused() : error, addresses);
    });
  });
}

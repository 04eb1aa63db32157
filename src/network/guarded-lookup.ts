import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { AllowedTarget } from "../model/kit/allowed-target.ts";
import { isAllowedAddress, type Target } from "./address-guard.ts";

/** Resolves a name; tests replace it. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** The target resolves to an address that is not allowed. */
export class TargetRefused extends Error {
  constructor() {
    super("The address is not public.");
  }
}

/**
 * Creates the name look-up of a connection, so that the checked address is the one that is used. A name that changes
 * its address between check and use gains nothing. One refused address refuses the name.
 */
export function guardedLookup(
  target: Target,
  allowed: readonly AllowedTarget[],
  resolve: Resolve = systemLookup,
): LookupFunction {
  return (name, options, callback) => {
    resolve(name, { family: options.family, hints: options.hints, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) callback(error, "");
      else if (first === undefined) callback(new Error(`${name} has no address.`), "");
      else if (addresses.some(({ address }) => !isAllowedAddress(address, target, allowed))) {
        callback(new TargetRefused(), "");
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Resolves the host of a target. Throws TargetRefused if one of its addresses is not allowed. */
export function resolveGuarded(
  target: Target,
  allowed: readonly AllowedTarget[],
  resolve?: Resolve,
): Promise<LookupAddress[]> {
  const lookup = guardedLookup(target, allowed, resolve);
  return new Promise((done, fail) => {
    lookup(target.host, { all: true }, (error, addresses) => {
      if (error !== null) fail(error);
      else done(Array.isArray(addresses) ? addresses : []);
    });
  });
}

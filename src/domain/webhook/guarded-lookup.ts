import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { AllowedTarget } from "../../model/webhook/webhook.ts";
import { isAllowedAddress, type Target } from "./address-guard.ts";

/** Looks a name up; tests have one of their own. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** A target has an address that nobody allowed. */
export class TargetRefused extends Error {
  constructor() {
    super("The address is not public, and HOLDPOINT_WEBHOOK_ALLOW does not name it.");
  }
}

/**
 * Looks up the name of a target for the connection itself, so that what is checked is what is connected to: a name that
 * gives another address the next time gains nothing. One address that is refused refuses the name.
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

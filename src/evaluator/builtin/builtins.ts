/**
 * The functions of Rego that a compiled module asks its host for. Others are compiled into the module: arithmetic,
 * comparisons, most of those about texts, sets and arrays.
 */
import { CRYPTO } from "./crypto.ts";
import { ENCODING } from "./encoding.ts";
import { NET } from "./net.ts";
import { OBJECTS } from "./objects.ts";
import type { Builtins } from "./operands.ts";
import { REGEX } from "./regex.ts";
import { SANITIZED } from "./sanitized.ts";
import { STRINGS } from "./strings.ts";
import { TIME } from "./time.ts";

const OUTPUT: Builtins = {
  // Output of policies goes nowhere: it could hold what is masked elsewhere.
  trace: () => true,
  "internal.print": () => true,
};

export const BUILTINS: Builtins = {
  ...CRYPTO,
  ...ENCODING,
  ...NET,
  ...OBJECTS,
  ...OUTPUT,
  ...REGEX,
  ...SANITIZED,
  ...STRINGS,
  ...TIME,
};

/** Functions that a policy may not use, with the reason. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  "http.send": "it opens connections",
  "net.lookup_ip_addr": "it opens connections",
  "opa.runtime": "it reads the environment of a process",
  "rand.intn": "its results are not the same each time",
  "uuid.rfc4122": "its results are not the same each time",
};

/** Gives the reason for which a module that needs a function is refused; `null` if the function exists. */
export function refusalOf(name: string): string | null {
  if (Object.hasOwn(BUILTINS, name)) return null;
  const reason = Object.hasOwn(FORBIDDEN, name) ? FORBIDDEN[name] : undefined;
  return reason === undefined
    ? `The module needs the function "${name}", which does not exist here.`
    : `The module needs the function "${name}", which policies may not use: ${reason}.`;
}

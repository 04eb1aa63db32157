import type { Digest } from "../../model/verification/required-probe.ts";
import type { Deps } from "./deps.ts";

/** Returns the digest of definitions of probes. It is keyed, because they have secrets. */
export function probeDigest({ cipher }: Pick<Deps, "cipher">): Digest {
  return (text) => cipher.mac("probe", text).toString("base64url");
}

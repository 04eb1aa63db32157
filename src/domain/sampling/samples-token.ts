import type { Deps } from "../kit/deps.ts";

/** Returns the token for the report of one lease. It is derived, so nothing of it is stored. */
export function samplesToken({ cipher }: Pick<Deps, "cipher">, { id, fence }: { id: string; fence: number }): string {
  return cipher.mac("samples", `${id}/${fence}`).toString("base64url");
}

import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";

/** Whether the person of a session has lately proved to be present. A token proves nothing. */
export function isPresent({ credential, presentAt }: ActorCaller, at: Date): boolean {
  if (credential !== "SESSION" || presentAt === undefined) return false;
  return at.getTime() - Date.parse(presentAt) <= LIMITS.presenceMs;
}

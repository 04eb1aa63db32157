import type { JobAction } from "../model/people/permission.ts";

/**
 * Maps each request, method and path below `jobs/:id/`, to the permission that it needs. The permission is checked before
 * anything of the body is read. A route that is missing here does not compile.
 */
export const ROUTE_ACTIONS = {
  "POST heartbeat": "job:work",
  "GET source": "source:read",
  "GET archive": "archive:read",
  "GET rollback-state": "rollback:read",
  "PUT archive": "archive:write",
  "PUT document": "archive:write",
  "POST log": "job:work",
  "POST masks": "job:work",
  "POST messages": "job:work",
  "POST progress": "job:work",
  "GET state": "state:read",
  "POST state": "state:write",
  "POST state/lock": "state:lock",
  "POST state/unlock": "state:lock",
} as const satisfies Record<string, JobAction>;
export type JobRouteName = keyof typeof ROUTE_ACTIONS;

export function isJobRoute(name: string): name is JobRouteName {
  return Object.hasOwn(ROUTE_ACTIONS, name);
}

/**
 * A target that is allowed although its address is not public; `port`: `null` for any. `private` is the rule of runners:
 * private networks are allowed, and addresses that concern one machine alone, such as metadata services of clouds, are
 * refused also if other entries name them. `only` is that of runners whose targets are listed: nothing else is allowed, also
 * if it is public.
 */
export type AllowedTarget =
  | { type: "name"; name: string; port: number | null }
  | { type: "network"; address: string; prefix: number; port: number | null }
  | { type: "private" }
  | { type: "only" };

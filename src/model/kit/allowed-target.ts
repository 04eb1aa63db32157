/** A target that is allowed although its address is not public; `port`: `null` for any. */
export type AllowedTarget =
  | { type: "name"; name: string; port: number | null }
  | { type: "network"; address: string; prefix: number; port: number | null };

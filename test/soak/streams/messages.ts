export const MODES = ["plain", "shared", "alone"] as const;
export type Mode = (typeof MODES)[number];

/** What a server of the measurement is asked for. */
export type Asked = { type: "memory" } | { type: "measure"; ms: number; clients: number };

/** And what it answers. */
export type Told =
  | { type: "listening"; port: number }
  | { type: "memory"; rss: number; heap: number; external: number }
  | { type: "measured"; messages: number; ms: number; cpuUs: number };

/** The kinds of probes, and the fields that each has. */
import type { ProbeItemFragment, ProbeKind } from "../generated/graphql.ts";

export const PROBE_KINDS: Readonly<Record<ProbeKind, string>> = {
  HTTP: "A request over HTTP",
  GRAPHQL: "A GraphQL operation",
  TCP: "A connection to a port",
  TLS: "A certificate",
  COMMAND: "A shell command on a runner",
  CHECKS: "The check blocks of the state",
  EXTERNAL: "An external check after the apply",
};

export const isProbeKind = (value: string): value is ProbeKind => Object.hasOwn(PROBE_KINDS, value);

/** The label and the hint of the target of each kind; `null`: the kind has none. */
export const TARGETS: Readonly<Record<ProbeKind, { label: string; hint: string } | null>> = {
  HTTP: { label: "Address", hint: "https://shop.example.com/ready, or {{outputs.url}}." },
  GRAPHQL: { label: "Address", hint: "https://shop.example.com/graphql, or {{outputs.url}}." },
  TCP: { label: "Host and port", hint: "db.example.com:5432, or {{outputs.db_host}}:5432." },
  TLS: { label: "Host and port", hint: "shop.example.com:443, or {{outputs.host}}:443." },
  COMMAND: { label: "Command", hint: "It passes with the exit code 0." },
  CHECKS: null,
  EXTERNAL: { label: "Name of the external check", hint: "Its stage is POST_APPLY." },
};

/** The fields that some kinds alone have. */
const FIELDS = {
  network: ["HTTP", "GRAPHQL", "TCP", "TLS"],
  method: ["HTTP"],
  paths: ["HTTP"],
  headers: ["HTTP", "GRAPHQL"],
  body: ["HTTP", "GRAPHQL", "TCP"],
  variables: ["GRAPHQL"],
  serverName: ["TLS"],
  followRedirects: ["HTTP", "GRAPHQL"],
  statuses: ["HTTP"],
  bodyContains: ["HTTP", "GRAPHQL", "TCP"],
  expression: ["HTTP", "GRAPHQL"],
  maxLatencyMs: ["HTTP", "GRAPHQL", "TCP", "TLS"],
  certificateDays: ["TLS"],
} as const satisfies Record<string, readonly ProbeKind[]>;

/** Whether a kind has a field. */
export function hasField(kind: ProbeKind, field: keyof typeof FIELDS): boolean {
  const kinds: readonly ProbeKind[] = FIELDS[field];
  return kinds.includes(kind);
}

/** The fields of a probe of a kind; `probe`: the one that is changed. */
export interface KindFieldsOf {
  readonly kind: ProbeKind;
  readonly probe: ProbeItemFragment | undefined;
}

/** Probes of a workspace: requests by which Holdpoint finds out whether what was applied works. */
import type { Json } from "../plan/json.ts";

/**
 * HTTP, GRAPHQL, TCP, TLS: a request over the network. COMMAND: a shell command on a runner. CHECKS: the check blocks of
 * the state. EXTERNAL: an external check of stage POST_APPLY.
 */
export const PROBE_KINDS = ["HTTP", "GRAPHQL", "TCP", "TLS", "COMMAND", "CHECKS", "EXTERNAL"] as const;
export type ProbeKind = (typeof PROBE_KINDS)[number];

/** Kinds that one request over the network answers. */
export const NETWORK_PROBE_KINDS = ["HTTP", "GRAPHQL", "TCP", "TLS"] as const satisfies readonly ProbeKind[];
export type NetworkProbeKind = (typeof NETWORK_PROBE_KINDS)[number];

/** VERIFY: after an apply. HEALTH: all the time. */
export const PROBE_USES = ["VERIFY", "HEALTH", "BOTH"] as const;
export type ProbeUse = (typeof PROBE_USES)[number];

/** REQUIRED: the workspace works only if it passes. INFORMATIONAL: it is shown. */
export const PROBE_WEIGHTS = ["REQUIRED", "INFORMATIONAL"] as const;
export type ProbeWeight = (typeof PROBE_WEIGHTS)[number];

/** SERVER: the server sends the requests. RUNNERS: runners of the workspace's pool send them. */
export const PROBE_SOURCES = ["SERVER", "RUNNERS"] as const;
export type ProbeSource = (typeof PROBE_SOURCES)[number];

export const PROBE_METHODS = ["GET", "HEAD", "POST"] as const;
export type ProbeMethod = (typeof PROBE_METHODS)[number];

export interface ProbeHeader {
  name: string;
  /** May have templates. It is a secret. */
  value: string;
}

/** The conditions that an answer must meet. Absent ones are `null` or empty. */
export interface ProbeExpectation {
  /** Such as `200` and `3xx`. Empty: 2xx and 3xx for HTTP, 200 for GRAPHQL. */
  statuses: readonly string[];
  bodyContains: string | null;
  /** An expression in CEL that is true for a good answer. */
  expression: string | null;
  maxLatencyMs: number | null;
  /** Days for which the certificate must still be valid. */
  certificateDays: number | null;
}

/** A probe as its workspace has it, with its secrets. */
export interface Probe {
  /** Unique in the workspace. */
  name: string;
  kind: ProbeKind;
  use: ProbeUse;
  weight: ProbeWeight;
  from: ProbeSource;
  /** A URL, `host:port`, a command, or the name of an external check. May have templates. Empty for CHECKS. */
  target: string;
  method: ProbeMethod;
  /** Paths of which one must answer well. Empty: that of the target, or the usual ones if it has none. */
  paths: readonly string[];
  headers: readonly ProbeHeader[];
  /** The body of a POST, the document of GRAPHQL, or the bytes that TCP sends. May have templates. It is a secret. */
  body: string | null;
  /** The variables of a GRAPHQL document: a JSON object. */
  variables: Json;
  /** The name that TLS asks for; `null`: the host of the target. */
  serverName: string | null;
  followRedirects: boolean;
  expect: ProbeExpectation;
  intervalSeconds: number;
  timeoutMs: number;
}

export const NO_EXPECTATION: ProbeExpectation = {
  statuses: [],
  bodyContains: null,
  expression: null,
  maxLatencyMs: null,
  certificateDays: null,
};

export function isNetworkKind(kind: ProbeKind): kind is NetworkProbeKind {
  const kinds: readonly ProbeKind[] = NETWORK_PROBE_KINDS;
  return kinds.includes(kind);
}

/** Whether a probe is asked after an apply. */
export function isForVerification({ use }: Pick<Probe, "use">): boolean {
  return use !== "HEALTH";
}

/** Whether a probe is sent all the time. */
export function isForHealth({ use }: Pick<Probe, "use">): boolean {
  return use !== "VERIFY";
}

/** The parts of a probe that are secrets. */
export interface ProbeSecrets {
  headers: readonly ProbeHeader[];
  body: string | null;
  variables: Json;
}

/** A probe as readers of its workspace see it. */
export interface ProbeSettings extends Omit<Probe, keyof ProbeSecrets> {
  headerNames: readonly string[];
  hasBody: boolean;
}

/** Splits a probe into what readers see and its secrets. */
export function splitProbe({ headers, body, variables, ...shown }: Probe): {
  settings: ProbeSettings;
  secrets: ProbeSecrets;
} {
  const settings = { ...shown, headerNames: headers.map(({ name }) => name), hasBody: body !== null };
  return { settings, secrets: { headers, body, variables } };
}

/** Joins what `splitProbe` has split. */
export function joinProbe(
  { headerNames: _names, hasBody: _has, ...shown }: ProbeSettings,
  secrets: ProbeSecrets,
): Probe {
  return { ...shown, ...secrets };
}

/** Requests of probes, ready to be sent: templates are filled in. A server and a runner send them alike. */
import type { ProbeExpectation, ProbeHeader, ProbeMethod } from "./probe.ts";

export interface HttpProbeRequest {
  kind: "HTTP";
  method: ProbeMethod;
  /** Tried in order until one answers well. */
  urls: readonly string[];
  headers: readonly ProbeHeader[];
  body: string | null;
  followRedirects: boolean;
  expect: ProbeExpectation;
  timeoutMs: number;
}

export interface GraphqlProbeRequest {
  kind: "GRAPHQL";
  url: string;
  headers: readonly ProbeHeader[];
  /** The JSON of document and variables. */
  body: string;
  followRedirects: boolean;
  expect: ProbeExpectation;
  timeoutMs: number;
}

export interface TcpProbeRequest {
  kind: "TCP";
  host: string;
  port: number;
  /** The text that is sent first; `null`: nothing. */
  body: string | null;
  expect: ProbeExpectation;
  timeoutMs: number;
}

export interface TlsProbeRequest {
  kind: "TLS";
  host: string;
  port: number;
  serverName: string | null;
  expect: ProbeExpectation;
  timeoutMs: number;
}

export type ProbeRequest = HttpProbeRequest | GraphqlProbeRequest | TcpProbeRequest | TlsProbeRequest;

/** One target of a probe. */
export interface ProbeTarget {
  /** From 0; the element of the list for `[*]`. */
  number: number;
  /** The address for people: the URL or `host:port`. It holds no secret. */
  address: string;
  request: ProbeRequest;
}

/** The targets of a probe, or the reason for which it has none. */
export type ResolvedProbe = { targets: readonly ProbeTarget[]; unresolved: null } | { targets: []; unresolved: string };

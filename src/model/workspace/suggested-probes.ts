/** Probes that fit the shape of what a workspace deploys. They are shown to people, who add them. Pure. */
import type { DeployShape } from "./deploy-shape.ts";
import type { Output } from "./workspace.ts";
import { isNetworkKind, NO_EXPECTATION, type Probe } from "../probe/probe.ts";
import { PROBE_LIMITS } from "../probe/probe-limits.ts";
import { addressesOf, type ProbeValues, resolveProbe } from "../probe/resolve-probe.ts";
import { hostAndPort, urlProblem } from "../probe/target-address.ts";

/** A probe that can be added as it is. */
export interface SuggestedProbe extends Probe {
  /** The names of the outputs in its target. */
  outputs: readonly string[];
  /** Why it is suggested: a sentence. */
  reason: string;
}

/** A probe of a workspace, as far as it decides what else is suggested. */
type ExistingProbe = Pick<Probe, "name" | "kind" | "target">;

/** A probe that a shape may have, and the outputs that make its target. */
interface Candidate extends Pick<Probe, "name" | "target"> {
  kind: "HTTP" | "TCP";
  outputs: readonly string[];
}

const SITE: Candidate = { name: "web", kind: "HTTP", target: "{{outputs.url}}", outputs: ["url"] };
const SERVICES: Candidate = { name: "web", kind: "HTTP", target: "{{outputs.urls[*]}}", outputs: ["urls"] };
/** A template cannot take the host out of a URL, so the port has outputs of its own. */
const PORT: Candidate = {
  name: "port",
  kind: "TCP",
  target: "{{outputs.host}}:{{outputs.port}}",
  outputs: ["host", "port"],
};

const CANDIDATES: Readonly<Record<DeployShape, readonly Candidate[]>> = {
  STATIC: [SITE],
  STATIC_BUILD: [SITE],
  SERVER: [SITE, PORT],
  MULTI: [SERVICES],
  EXISTING_DOCKER: [SITE, PORT],
};

/**
 * Returns the probes that fit a shape: those whose outputs are not sensitive and are addresses, and whose targets no probe
 * asks yet. They are INFORMATIONAL, so one that is added fails no run and no rollback follows: the name of an output does
 * not state what answers there.
 */
export function suggestedProbes(
  shape: DeployShape | null,
  outputs: readonly Output[],
  probes: readonly ExistingProbe[],
): SuggestedProbe[] {
  if (shape === null || probes.length >= PROBE_LIMITS.probesPerWorkspace) return [];
  const values: ProbeValues = {
    outputs: new Map(outputs.map(({ name, value, sensitive }) => [name, { value, sensitive }])),
    variables: new Map(),
  };
  const asked = probes.flatMap(({ kind, target }) =>
    isNetworkKind(kind) ? receiversOf(addressesOf(target, values)) : [],
  );
  const suggested: SuggestedProbe[] = [];
  for (const candidate of CANDIDATES[shape]) {
    const probe = probeOf(candidate, probes);
    const receivers = receiversOf(resolveProbe(probe, values).targets.map(({ address }) => address));
    if (receivers.every((receiver) => isAsked(receiver, asked))) continue;
    suggested.push({ ...probe, outputs: candidate.outputs, reason: reasonOf(shape, candidate) });
    asked.push(...receivers);
  }
  return suggested;
}

function probeOf({ name, kind, target }: Candidate, probes: readonly ExistingProbe[]): Probe {
  return {
    name: freeName(name, probes),
    kind,
    use: "BOTH",
    weight: "INFORMATIONAL",
    // It needs no runner that was started for probes; a private address is refused with a reason.
    from: "SERVER",
    target,
    method: "GET",
    paths: [],
    headers: [],
    body: null,
    variables: null,
    serverName: null,
    followRedirects: false,
    expect: NO_EXPECTATION,
    intervalSeconds: 30,
    timeoutMs: 5000,
  };
}

function freeName(name: string, probes: readonly ExistingProbe[]): string {
  const isFree = (text: string): boolean => probes.every((probe) => probe.name !== text);
  let text = name;
  for (let number = 2; !isFree(text); number++) text = `${name}-${number}`;
  return text;
}

/** The end of a request. `path` ends with a slash; it is empty if the request is to a port alone. */
interface Receiver {
  host: string;
  port: number;
  path: string;
}

const USUAL_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

function receiversOf(addresses: readonly string[]): Receiver[] {
  return addresses.flatMap((address) => receiverOf(address) ?? []);
}

/** Returns the receiver at the address of a target, which a probe of any kind may have. */
function receiverOf(address: string): Receiver | null {
  const url = urlProblem(address) === null ? new URL(address) : null;
  const end = hostAndPort(url === null ? address : `${url.hostname}:${url.port || USUAL_PORTS[url.protocol]}`);
  return end === null ? null : { ...end, path: url === null ? "" : url.pathname.replace(/\/?$/, "/") };
}

/** Whether a receiver is asked: a port by any request, a path by one to this path or below it. */
function isAsked({ host, port, path }: Receiver, asked: readonly Receiver[]): boolean {
  return asked.some((other) => other.host === host && other.port === port && other.path.startsWith(path));
}

function reasonOf(shape: DeployShape, { outputs }: Candidate): string {
  return `Its shape is ${shape}, and it has the ${outputs.length === 1 ? "output" : "outputs"} ${outputs.join(" and ")}.`;
}

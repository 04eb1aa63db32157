/** Fills in the templates of a probe: outputs of the workspace and variables. */
import type { Json } from "../plan/json.ts";
import { isNetworkKind, type Probe, type ProbeHeader } from "./probe.ts";
import { PROBE_LIMITS } from "./probe-limits.ts";
import type { ProbeRequest, ProbeTarget, ResolvedProbe } from "./probe-request.ts";
import { hostAndPort, isSendableValue, urlProblem, USUAL_PATHS } from "./target-address.ts";
import { isList, parseTemplate, referenceText, type Template, type TemplateReference, valuesAt } from "./template.ts";

/** An output with its value, also if it is sensitive. */
export interface ProbeOutput {
  value: Json;
  sensitive: boolean;
}

/** The values that templates name. */
export interface ProbeValues {
  outputs: ReadonlyMap<string, ProbeOutput>;
  /** The workspace's variables by key. Headers alone may name them. */
  variables: ReadonlyMap<string, string>;
}

/** The place of a template decides what it may show: an address is public, headers and bodies are secrets. */
type Place = "target" | "header" | "body";

class Unresolved extends Error {}

/** Returns the targets of a probe of a network kind. Reasons name outputs and variables, never their values. */
export function resolveProbe(probe: Probe, values: ProbeValues): ResolvedProbe {
  try {
    return { targets: targetsOf(probe, values), unresolved: null };
  } catch (error) {
    if (!(error instanceof Unresolved)) throw error;
    return { targets: [], unresolved: error.message };
  }
}

/** Returns the addresses of a target. Empty: it cannot be filled in. */
export function addressesOf(target: string, values: ProbeValues): readonly string[] {
  try {
    return fill(target, values, "target");
  } catch (error) {
    if (!(error instanceof Unresolved)) throw error;
    return [];
  }
}

function targetsOf(probe: Probe, values: ProbeValues): ProbeTarget[] {
  const filled = probe.headers.map(({ name, value }) => ({ name, value: fillOne(value, values, "header") }));
  const headers = checkedHeaders(filled);
  const body = probe.body === null ? null : fillOne(probe.body, values, "body");
  if (body !== null && body.length > PROBE_LIMITS.filledBodyBytes) {
    throw new Unresolved(`The body is longer than ${PROBE_LIMITS.filledBodyBytes} bytes.`);
  }
  return fill(probe.target, values, "target").map((address, number) => ({
    number,
    address,
    request: toRequest(probe, { address, headers, body }),
  }));
}

interface Filled {
  address: string;
  headers: readonly ProbeHeader[];
  body: string | null;
}

function toRequest(probe: Probe, { address, headers, body }: Filled): ProbeRequest {
  const { kind, expect, timeoutMs, followRedirects, method, serverName } = probe;
  if (!isNetworkKind(kind)) throw new Error(`A probe of kind ${kind} has no request`);
  if (kind === "HTTP" || kind === "GRAPHQL") {
    const problem = urlProblem(address);
    if (problem !== null) throw new Unresolved(`The target ${problem}`);
    const shared = { headers, followRedirects, expect, timeoutMs };
    if (kind === "HTTP") return { kind, method, urls: urlsOf(address, probe.paths), body, ...shared };
    return { kind, url: address, body: JSON.stringify({ query: body, variables: probe.variables ?? {} }), ...shared };
  }
  const target = hostAndPort(address);
  if (target === null) throw new Unresolved("The target must be a host and a port, such as db.example.com:5432.");
  return kind === "TCP"
    ? { kind, ...target, body, expect, timeoutMs }
    : { kind, ...target, serverName, expect, timeoutMs };
}

/** Returns the addresses that are tried: one for each path, and the usual ones if neither probe nor target has one. */
function urlsOf(address: string, paths: readonly string[]): string[] {
  const url = new URL(address);
  const hasPath = url.pathname !== "/" || url.search !== "";
  if (paths.length === 0 && hasPath) return [url.href];
  return (paths.length === 0 ? USUAL_PATHS : paths).map((path) => new URL(path, url.origin).href);
}

function checkedHeaders(headers: readonly ProbeHeader[]): readonly ProbeHeader[] {
  const bytes = headers.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  if (bytes > PROBE_LIMITS.headerBytes) {
    throw new Unresolved(`The headers have more than ${PROBE_LIMITS.headerBytes} bytes.`);
  }
  const bad = headers.find(({ value }) => !isSendableValue(value));
  if (bad !== undefined) throw new Unresolved(`The header ${bad.name} has a character that cannot be sent.`);
  return headers;
}

function fillOne(text: string, values: ProbeValues, place: Place): string {
  const [first = ""] = fill(text, values, place);
  return first;
}

/** Fills in a template. It gives several texts if it names each element of a list. */
function fill(text: string, values: ProbeValues, place: Place): string[] {
  const { template, problem } = parseTemplate(text);
  if (template === null) throw new Unresolved(`The ${place} ${problem}`);
  const lists = template.map((part) => (typeof part === "string" ? [part] : textsOf(part, values, place)));
  const list = lists.find((_texts, index) => isListAt(template, index));
  const count = list?.length ?? 1;
  if (list !== undefined && list.length === 0) throw new Unresolved(`The list of the ${place} is empty.`);
  if (count > PROBE_LIMITS.targetsPerProbe) {
    throw new Unresolved(
      `The list has ${count} elements; a probe has at most ${PROBE_LIMITS.targetsPerProbe} targets.`,
    );
  }
  return Array.from({ length: count }, (_none, at) =>
    lists.map((texts, index) => (isListAt(template, index) ? texts[at] : texts[0]) ?? "").join(""),
  );
}

function isListAt(template: Template, index: number): boolean {
  const part = template[index];
  return part !== undefined && isList(part);
}

function textsOf(reference: TemplateReference, values: ProbeValues, place: Place): string[] {
  const text = referenceText(reference);
  if (reference.type === "variable") {
    if (place !== "header") throw new Unresolved(`{{${text}}} may be used in headers alone.`);
    const value = values.variables.get(reference.name);
    if (value === undefined) throw new Unresolved(`There is no variable "${reference.name}".`);
    return [value];
  }
  const output = values.outputs.get(reference.name);
  if (output === undefined) throw new Unresolved(`There is no output "${reference.name}".`);
  if (output.sensitive && place === "target") {
    throw new Unresolved(`The output "${reference.name}" is sensitive: use it in headers or the body.`);
  }
  const found = valuesAt(output.value, reference.steps);
  if (found === null) throw new Unresolved(`{{${text}}} has no value: the output has another shape.`);
  return found.map((value) => {
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    throw new Unresolved(`{{${text}}} is not a text.`);
  });
}

/** Checks probes as people give them. */
import { isRecord } from "../kit/is-record.ts";
import { isNetworkKind, type Probe, type ProbeKind } from "./probe.ts";
import { isStatusPattern } from "./judge-answer.ts";
import { PROBE_LIMITS } from "./probe-limits.ts";
import { hostAndPort, isSendableValue, urlProblem } from "./target-address.ts";
import { hasVariable, isList, parseTemplate } from "./template.ts";

/** A problem with one field; the path begins below the probe. */
export interface ProbeProblem {
  path: string;
  message: string;
}

type Report = (path: string, message: string) => void;

const NAME = /^[a-z0-9][a-z0-9_-]*$/;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
/** Headers that belong to the connection. */
const RESERVED_HEADERS: readonly string[] = [
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
const OUTPUT_EXAMPLE = "{{outputs.host}}:443";

/** The fields that belong to some kinds alone. */
const KINDS_OF_FIELD = {
  method: ["HTTP"],
  paths: ["HTTP"],
  headers: ["HTTP", "GRAPHQL"],
  body: ["HTTP", "GRAPHQL", "TCP"],
  variables: ["GRAPHQL"],
  serverName: ["TLS"],
  followRedirects: ["HTTP", "GRAPHQL"],
  "expect.statuses": ["HTTP"],
  "expect.bodyContains": ["HTTP", "GRAPHQL", "TCP"],
  "expect.expression": ["HTTP", "GRAPHQL"],
  "expect.maxLatencyMs": ["HTTP", "GRAPHQL", "TCP", "TLS"],
  "expect.certificateDays": ["TLS"],
} as const satisfies Record<string, readonly ProbeKind[]>;
type KindField = keyof typeof KINDS_OF_FIELD;

/** Returns what is wrong with the probes of a workspace; paths begin with their number. */
export function problemsOfProbes(probes: readonly Probe[]): ProbeProblem[] {
  const { probesPerWorkspace: most } = PROBE_LIMITS;
  if (probes.length > most) return [{ path: "", message: `must have at most ${most} entries, not ${probes.length}.` }];
  const problems = probes.flatMap((probe, index) =>
    problemsOfProbe(probe).map(({ path, message }) => ({ path: `${index}.${path}`, message })),
  );
  const first = new Set<string>();
  for (const [index, { name }] of probes.entries()) {
    if (first.has(name)) problems.push({ path: `${index}.name`, message: `is already the name of another probe.` });
    first.add(name);
  }
  return problems;
}

/** Returns what is wrong with one probe. */
export function problemsOfProbe(probe: Probe): ProbeProblem[] {
  const problems: ProbeProblem[] = [];
  const report: Report = (path, message) => void problems.push({ path, message });
  checkName(probe, report);
  checkKind(probe, report);
  checkFields(probe, report);
  checkTarget(probe, report);
  checkHeaders(probe, report);
  checkBody(probe, report);
  checkPaths(probe, report);
  checkExpectation(probe, report);
  checkTimes(probe, report);
  return problems;
}

function checkName({ name }: Probe, report: Report): void {
  const most = PROBE_LIMITS.probeNameLength;
  if (NAME.test(name) && name.length <= most) return;
  report("name", `must have 1 to ${most} characters: small letters, digits, "-" and "_", the first a letter or digit.`);
}

function checkKind({ kind, use, from }: Probe, report: Report): void {
  if (isNetworkKind(kind)) return;
  if (use !== "VERIFY") report("use", `must be VERIFY for the kind ${kind}: it is asked after an apply alone.`);
  if (kind === "COMMAND" && from !== "RUNNERS") report("from", "must be RUNNERS: commands run on runners.");
}

/** Refuses fields that the kind would ignore. */
function checkFields(probe: Probe, report: Report): void {
  const { expect } = probe;
  const isGiven: Record<KindField, boolean> = {
    method: probe.method !== "GET",
    paths: probe.paths.length > 0,
    headers: probe.headers.length > 0,
    body: probe.body !== null,
    variables: probe.variables !== null,
    serverName: probe.serverName !== null,
    followRedirects: probe.followRedirects,
    "expect.statuses": expect.statuses.length > 0,
    "expect.bodyContains": expect.bodyContains !== null,
    "expect.expression": expect.expression !== null,
    "expect.maxLatencyMs": expect.maxLatencyMs !== null,
    "expect.certificateDays": expect.certificateDays !== null,
  };
  for (const [field, kinds] of Object.entries<readonly ProbeKind[]>(KINDS_OF_FIELD)) {
    const given = Object.entries(isGiven).some(([name, is]) => name === field && is);
    if (given && !kinds.includes(probe.kind)) report(field, `is for the kinds ${kinds.join(", ")} alone.`);
  }
}

function checkTarget({ kind, target }: Probe, report: Report): void {
  if (kind === "CHECKS") {
    if (target !== "") report("target", "must be empty: all check blocks of the state must pass.");
    return;
  }
  const most = kind === "COMMAND" ? PROBE_LIMITS.commandLength : PROBE_LIMITS.targetLength;
  if (target.trim() === "" || target.length > most || !isStorable(target)) {
    return report("target", `must have 1 to ${most} characters that are not all blank, and not U+0000.`);
  }
  if (!isNetworkKind(kind)) return;
  const { template, problem } = parseTemplate(target);
  if (template === null) return report("target", problem);
  if (hasVariable(template)) return report("target", "must not name variables: {{var.NAME}} is for headers alone.");
  if (template.some((part) => typeof part !== "string")) return;
  if (kind === "HTTP" || kind === "GRAPHQL") {
    const wrong = urlProblem(target);
    if (wrong !== null) report("target", wrong);
  } else if (hostAndPort(target) === null) {
    report("target", `must be a host and a port, such as db.example.com:5432 or ${OUTPUT_EXAMPLE}.`);
  }
}

function checkHeaders({ headers }: Probe, report: Report): void {
  if (headers.length > PROBE_LIMITS.headers) {
    return report("headers", `must have at most ${PROBE_LIMITS.headers} entries.`);
  }
  for (const [index, { name, value }] of headers.entries()) {
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name)) report(`headers.${index}.name`, "must be the name of a header, such as X-Api-Key.");
    else if (RESERVED_HEADERS.includes(lower) || lower.startsWith("proxy-")) {
      report(`headers.${index}.name`, "belongs to the connection: leave it out.");
    }
    const problem = templateProblem(value, { variables: true });
    if (problem !== null) report(`headers.${index}.value`, problem);
    else if (!isSendableValue(value)) report(`headers.${index}.value`, "must have printable characters of Latin-1.");
  }
  const bytes = headers.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  if (bytes > PROBE_LIMITS.headerBytes) {
    report("headers", `must have at most ${PROBE_LIMITS.headerBytes} bytes in all.`);
  }
}

function checkBody({ kind, body, method, variables }: Probe, report: Report): void {
  if (kind === "GRAPHQL" && (body ?? "").trim() === "") report("body", "must be the document of GRAPHQL.");
  if (kind === "GRAPHQL" && variables !== null) {
    const fits = isRecord(variables) && JSON.stringify(variables).length <= PROBE_LIMITS.bodyBytes;
    if (!fits) report("variables", `must be an object of at most ${PROBE_LIMITS.bodyBytes} bytes.`);
  }
  if (body === null) return;
  if (kind === "HTTP" && method !== "POST") report("body", "is for the method POST alone.");
  if (new TextEncoder().encode(body).length > PROBE_LIMITS.bodyBytes || !isStorable(body)) {
    return report("body", `must have at most ${PROBE_LIMITS.bodyBytes} bytes, and not U+0000.`);
  }
  const problem = templateProblem(body, { variables: false });
  if (problem !== null) report("body", problem);
}

/** Returns what is wrong with a template that gives one text. */
function templateProblem(text: string, { variables }: { variables: boolean }): string | null {
  const { template, problem } = parseTemplate(text);
  if (template === null) return problem;
  if (template.some(isList)) return "must not have [*]: it is for the target alone.";
  if (!variables && hasVariable(template)) return "must not name variables: {{var.NAME}} is for headers alone.";
  return null;
}

function checkPaths({ paths }: Probe, report: Report): void {
  const { paths: most, pathLength } = PROBE_LIMITS;
  if (paths.length > most) return report("paths", `must have at most ${most} entries.`);
  for (const [index, path] of paths.entries()) {
    const ok =
      path.startsWith("/") && !/^[/\\]{2}/.test(path) && path.length <= pathLength && !/[\p{Cc}\s\\]/u.test(path);
    if (!ok) report(`paths.${index}`, `must be a path that begins with one "/", of at most ${pathLength} characters.`);
  }
}

function checkExpectation({ expect, serverName }: Probe, report: Report): void {
  const { statuses, bodyContains, expression, maxLatencyMs, certificateDays } = expect;
  const limits = PROBE_LIMITS;
  if (statuses.length > limits.statuses) report("expect.statuses", `must have at most ${limits.statuses} entries.`);
  for (const [index, status] of statuses.slice(0, limits.statuses).entries()) {
    if (!isStatusPattern(status))
      report(`expect.statuses.${index}`, "must be a status such as 200, or a class such as 2xx.");
  }
  checkText("expect.bodyContains", bodyContains, limits.containedLength, report);
  checkText("expect.expression", expression, limits.expressionLength, report);
  checkNumber("expect.maxLatencyMs", maxLatencyMs, { least: 1, most: limits.timeoutMs.most }, report);
  checkNumber("expect.certificateDays", certificateDays, { least: 0, most: limits.certificateDays }, report);
  if (serverName !== null && !/^[A-Za-z0-9.-]{1,253}$/.test(serverName)) {
    report("serverName", "must be the name of a host, such as www.example.com.");
  }
}

function checkText(path: string, text: string | null, most: number, report: Report): void {
  if (text === null || (text.trim() !== "" && text.length <= most && isStorable(text))) return;
  report(path, `must have 1 to ${most} characters that are not all blank, and not U+0000.`);
}

function checkNumber(
  path: string,
  value: number | null,
  { least, most }: { least: number; most: number },
  report: Report,
): void {
  if (value === null || (Number.isInteger(value) && value >= least && value <= most)) return;
  report(path, `must be a whole number from ${least} to ${most}.`);
}

function checkTimes({ intervalSeconds, timeoutMs }: Probe, report: Report): void {
  checkNumber("intervalSeconds", intervalSeconds, PROBE_LIMITS.intervalSeconds, report);
  checkNumber("timeoutMs", timeoutMs, PROBE_LIMITS.timeoutMs, report);
}

function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** The probes of workspaces. */
import type { GivenProbe } from "../../model/probe/kept-secrets.ts";
import {
  NO_EXPECTATION,
  type ProbeExpectation,
  type ProbeKind,
  type ProbeMethod,
  type ProbeSettings,
  type ProbeUse,
} from "../../model/probe/probe.ts";
import { PROBE_LIMITS } from "../../model/probe/probe-limits.ts";
import { type TargetHealth, worstOf } from "../../model/health/runtime-health.ts";
import { TargetHealthRef } from "../health/runtime-health.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { ProbeFromEnum, ProbeWeightEnum } from "../verification/probe-enums.ts";
import { loaderOf } from "../kit/loader.ts";
import { WorkspaceRef } from "../kit/refs.ts";

export const probesLoader = loaderOf((domain, caller, ids) => domain.probesOfWorkspaces(caller, ids));

export const ProbeKindEnum = describedEnum<ProbeKind>("ProbeKind", "The way in which a probe asks.", {
  HTTP: "A request over HTTP: the status decides, and what the answer must contain.",
  GRAPHQL: "A GraphQL operation: status 200, data, and no errors.",
  TCP: "A connection to a port, with first bytes if wanted.",
  TLS: "A connection with TLS: the certificate is checked, and how long it is valid.",
  COMMAND: "A shell command on a runner: exit code 0. After an apply alone.",
  CHECKS: "The `check` blocks of the state: all must pass. After an apply alone.",
  EXTERNAL: "An external check of the stage POST_APPLY. After an apply alone.",
});

export const ProbeUseEnum = describedEnum<ProbeUse>("ProbeUse", "When a probe is asked.", {
  VERIFY: "After an apply, until it is verified.",
  HEALTH: "All the time, for the runtime health of the workspace.",
  BOTH: "After an apply, and all the time.",
});

const ProbeMethodEnum = describedEnum<ProbeMethod>("ProbeMethod", "The method of a request over HTTP.", {
  GET: "Reads.",
  HEAD: "Reads without a body.",
  POST: "Sends a body.",
});

const { timeoutMs, intervalSeconds } = PROBE_LIMITS;
const WORDS = {
  name: `The name, unique in the workspace: 1 to ${PROBE_LIMITS.probeNameLength} small letters, digits, hyphens and underscores.`,
  kind: "The way in which it asks.",
  use: "When it is asked.",
  weight: "How much it counts.",
  from: "Where its requests come from.",
  target:
    "The URL, `host:port`, shell command, or name of an external check; empty for CHECKS. `{{outputs.url}}`, `{{outputs.nodes[0].ip}}` and `{{outputs.urls[*]}}` are outputs, which must not be sensitive.",
  method: "The method of HTTP.",
  paths:
    "Paths of HTTP, of which one must answer well. Empty: that of the target, or `/`, `/health`, `/healthz` and `/api/health`.",
  serverName: "The name that TLS asks for. `null`: the host of the target.",
  followRedirects: "Whether redirects are followed, five at most. Each address is judged.",
  intervalSeconds: `The time between two attempts: ${intervalSeconds.least} to ${intervalSeconds.most} seconds.`,
  timeoutMs: `The time for one attempt: ${timeoutMs.least} to ${timeoutMs.most} milliseconds.`,
  expect: "The conditions for a good answer.",
  statuses: "Statuses of HTTP, such as `200` and `4xx`. Empty: 2xx and 3xx.",
  bodyContains: "A text that the first 64 KiB of the answer contain.",
  expression:
    "An expression in CEL over `status`, `headers`, `json`, `latencyMs`, and `data` for GRAPHQL, which is true for a good answer.",
  maxLatencyMs: "The longest time of an answer. A slower one is degraded.",
  certificateDays: "Days for which the certificate is still valid. One that ends earlier is degraded.",
} as const;

const ExpectationRef = builder.objectRef<ProbeExpectation>("ProbeExpectation").implement({
  description: "The conditions for a good answer to a probe.",
  fields: (t) => ({
    statuses: t.stringList({ description: WORDS.statuses, resolve: ({ statuses }) => [...statuses] }),
    bodyContains: t.exposeString("bodyContains", { nullable: true, description: WORDS.bodyContains }),
    expression: t.exposeString("expression", { nullable: true, description: WORDS.expression }),
    maxLatencyMs: t.exposeInt("maxLatencyMs", { nullable: true, description: WORDS.maxLatencyMs }),
    certificateDays: t.exposeInt("certificateDays", { nullable: true, description: WORDS.certificateDays }),
  }),
});

/** A probe with its workspace, whose targets have a health. */
interface WatchedProbe extends ProbeSettings {
  workspaceId: string;
}

const targetsLoader = loaderOf((domain, caller, ids) => domain.healthTargets(caller, ids));

async function targetsOf({ workspaceId, name }: WatchedProbe, { loaders }: GraphqlContext): Promise<TargetHealth[]> {
  return (await loaders.load(targetsLoader, workspaceId)).filter(({ probe }) => probe === name);
}

const ProbeRef = builder.objectRef<WatchedProbe>("Probe").implement({
  description: "A request by which Holdpoint finds out whether what was applied works.",
  fields: (t) => ({
    name: t.exposeString("name", { description: WORDS.name }),
    kind: t.expose("kind", { type: ProbeKindEnum, description: WORDS.kind }),
    use: t.expose("use", { type: ProbeUseEnum, description: WORDS.use }),
    weight: t.expose("weight", { type: ProbeWeightEnum, description: WORDS.weight }),
    from: t.expose("from", { type: ProbeFromEnum, description: WORDS.from }),
    target: t.exposeString("target", { description: WORDS.target }),
    method: t.expose("method", { type: ProbeMethodEnum, description: WORDS.method }),
    paths: t.stringList({ description: WORDS.paths, resolve: ({ paths }) => [...paths] }),
    headerNames: t.stringList({
      description: "The names of its headers. Their values are secrets, which are never shown again.",
      resolve: ({ headerNames }) => [...headerNames],
    }),
    hasBody: t.exposeBoolean("hasBody", { description: "Whether it sends a body, which is never shown again." }),
    serverName: t.exposeString("serverName", { nullable: true, description: WORDS.serverName }),
    followRedirects: t.exposeBoolean("followRedirects", { description: WORDS.followRedirects }),
    expect: t.expose("expect", { type: ExpectationRef, description: WORDS.expect }),
    intervalSeconds: t.exposeInt("intervalSeconds", { description: WORDS.intervalSeconds }),
    timeoutMs: t.exposeInt("timeoutMs", { description: WORDS.timeoutMs }),
    health: t.field({
      type: TargetHealthRef,
      nullable: true,
      description: "The health of its worst target. `null` if it is sent after applies alone, or is new.",
      resolve: async (probe, _args, context) => worstOf(await targetsOf(probe, context)),
    }),
    targets: t.field({
      type: [TargetHealthRef],
      description: "The health of each of its targets. Empty if it is sent after applies alone, or is new.",
      resolve: (probe, _args, context) => targetsOf(probe, context),
    }),
  }),
});

builder.objectField(WorkspaceRef, "probes", (t) =>
  t.field({
    type: [ProbeRef],
    description: "Its probes, in order.",
    resolve: async ({ id }, _args, { loaders }): Promise<WatchedProbe[]> =>
      (await loaders.load(probesLoader, id)).map((probe) => ({ ...probe, workspaceId: id })),
  }),
);

const HeaderInputRef = builder.inputType("ProbeHeaderInput", {
  description: "A header of a probe.",
  fields: (t) => ({
    name: t.string({ required: true, description: "The name." }),
    value: t.string({
      required: true,
      description: "The value, a secret. `{{var.NAME}}` is a variable, `{{outputs.NAME}}` an output.",
    }),
  }),
});

const ExpectationInputRef = builder.inputType("ProbeExpectationInput", {
  description: "The conditions for a good answer to a probe.",
  fields: (t) => ({
    statuses: t.stringList({ required: true, defaultValue: [], description: WORDS.statuses }),
    bodyContains: t.string({ description: WORDS.bodyContains }),
    expression: t.string({ description: WORDS.expression }),
    maxLatencyMs: t.int({ description: WORDS.maxLatencyMs }),
    certificateDays: t.int({ description: WORDS.certificateDays }),
  }),
});

export const ProbeInputRef = builder.inputType("ProbeInput", {
  description: "A request by which Holdpoint finds out whether what was applied works.",
  fields: (t) => ({
    name: t.string({ required: true, description: WORDS.name }),
    kind: t.field({ type: ProbeKindEnum, required: true, description: WORDS.kind }),
    use: t.field({ type: ProbeUseEnum, required: true, defaultValue: "BOTH", description: WORDS.use }),
    weight: t.field({ type: ProbeWeightEnum, required: true, defaultValue: "REQUIRED", description: WORDS.weight }),
    from: t.field({ type: ProbeFromEnum, required: true, defaultValue: "RUNNERS", description: WORDS.from }),
    target: t.string({ required: true, defaultValue: "", description: WORDS.target }),
    method: t.field({ type: ProbeMethodEnum, required: true, defaultValue: "GET", description: WORDS.method }),
    paths: t.stringList({ required: true, defaultValue: [], description: WORDS.paths }),
    headers: t.field({
      type: [HeaderInputRef],
      required: true,
      defaultValue: [],
      description: `Headers of HTTP and GRAPHQL, at most ${PROBE_LIMITS.headers} of ${PROBE_LIMITS.headerBytes} bytes in all.`,
    }),
    body: t.string({
      description:
        "The body of a POST, the document of GRAPHQL, or the first bytes of TCP. It is a secret. `{{outputs.NAME}}` is an output.",
    }),
    variables: t.field({ type: "JSON", description: "The variables of GRAPHQL: an object." }),
    secretsOf: t.string({
      description:
        "The name of a probe of the workspace whose headers, body and variables it keeps, which no API returns. `kind`, `from`, `followRedirects` and the receiver in `target` must be as before.",
    }),
    serverName: t.string({ description: WORDS.serverName }),
    followRedirects: t.boolean({ required: true, defaultValue: false, description: WORDS.followRedirects }),
    expect: t.field({ type: ExpectationInputRef, description: WORDS.expect }),
    intervalSeconds: t.int({ required: true, defaultValue: 30, description: WORDS.intervalSeconds }),
    timeoutMs: t.int({ required: true, defaultValue: 5000, description: WORDS.timeoutMs }),
  }),
});

/** The description of the field `probes` in inputs. */
export const PROBES_INPUT_WORDS = `The whole list of probes, at most ${PROBE_LIMITS.probesPerWorkspace}, with all their secrets, or with the names of probes whose secrets they keep (\`secretsOf\`). A probe of kind COMMAND needs the role ADMIN, as hooks do.`;

/** Converts the input of a probe. */
export function toProbe(input: typeof ProbeInputRef.$inferInput): GivenProbe {
  const { body = null, variables = null, serverName = null, secretsOf = null, expect, ...given } = input;
  return { ...given, body, variables, serverName, secretsOf, expect: toExpectation(expect ?? null) };
}

function toExpectation(input: typeof ExpectationInputRef.$inferInput | null): ProbeExpectation {
  if (input === null) return NO_EXPECTATION;
  const { statuses, bodyContains = null, expression = null, maxLatencyMs = null, certificateDays = null } = input;
  return { statuses, bodyContains, expression, maxLatencyMs, certificateDays };
}

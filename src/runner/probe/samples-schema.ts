/** Parses the work of a runner that samples probes. Fields that it does not know are left out. */
import { z } from "zod";
import type { SamplingAnswer } from "../../ingestion/wire.ts";
import { PROBE_METHODS } from "../../model/probe/probe.ts";

const expect = z.object({
  statuses: z.array(z.string()),
  bodyContains: z.string().nullable(),
  expression: z.string().nullable(),
  maxLatencyMs: z.number().nullable(),
  certificateDays: z.number().nullable(),
});
const headers = z.array(z.object({ name: z.string(), value: z.string() }));
const url = z.url({ protocol: /^https?$/ });
const shared = { expect, timeoutMs: z.number().positive() };
const target = { host: z.string(), port: z.int() };

export const probeRequestSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("HTTP"),
    method: z.enum(PROBE_METHODS),
    urls: z.array(url),
    headers,
    body: z.string().nullable(),
    followRedirects: z.boolean(),
    ...shared,
  }),
  z.object({ kind: z.literal("GRAPHQL"), url, headers, body: z.string(), followRedirects: z.boolean(), ...shared }),
  z.object({ kind: z.literal("TCP"), ...target, body: z.string().nullable(), ...shared }),
  z.object({ kind: z.literal("TLS"), ...target, serverName: z.string().nullable(), ...shared }),
]);

const key = { name: z.string(), target: z.int(), resolvedTarget: z.string().nullable() };
const variable = z.object({
  key: z.string(),
  value: z.string(),
  sensitive: z.boolean(),
  category: z.enum(["ENGINE", "ENVIRONMENT"]),
  hcl: z.boolean(),
});

export const samplingSchema: z.ZodType<SamplingAnswer> = z.object({
  id: z.string(),
  fence: z.int(),
  token: z.string(),
  leaseMs: z.number().positive(),
  tries: z.int().positive(),
  requests: z.array(z.object({ ...key, request: probeRequestSchema })),
  commands: z.array(z.object({ ...key, command: z.string(), timeoutMs: z.number().positive() })),
  context: z
    .object({
      run: z.object({ id: z.string(), number: z.int() }),
      workspace: z.string(),
      variables: z.array(variable),
      outputs: z.array(z.object({ name: z.string(), text: z.string(), sensitive: z.boolean() })),
      secrets: z.array(z.string()),
    })
    .nullable(),
});

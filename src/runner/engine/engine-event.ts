import { z } from "zod";
import { parseExactJson } from "../../model/kit/exact-json.ts";

const position = z.object({ line: z.number() });
const snippet = z.object({
  context: z.string().nullish(),
  code: z.string(),
  start_line: z.number(),
  values: z.array(z.object({ traversal: z.string(), statement: z.string() })).nullish(),
});

const diagnosticSchema = z.object({
  severity: z.string(),
  summary: z.string(),
  detail: z.string().default(""),
  address: z.string().optional(),
  range: z.object({ filename: z.string(), start: position }).nullish(),
  snippet: snippet.nullish(),
});
export type Diagnostic = z.infer<typeof diagnosticSchema>;

const resourceSchema = z.object({ addr: z.string() });

const hookSchema = z.object({
  resource: resourceSchema.optional(),
  action: z.string().optional(),
  provisioner: z.string().optional(),
  output: z.string().optional(),
});

const outputSchema = z.object({
  sensitive: z.boolean().default(false),
  action: z.string().optional(),
  value: z.unknown().optional(),
});

/** Tests of a configuration: a result of one run, what could not be destroyed, the end. */
const testRunSchema = z.object({ path: z.string(), run: z.string(), status: z.string().optional() });
const testCleanupSchema = z.object({ failed_resources: z.array(z.object({ instance: z.string() })).nullish() });

const eventSchema = z.object({
  "@message": z.string(),
  "@testfile": z.string().optional(),
  "@testrun": z.string().optional(),
  test_run: testRunSchema.optional(),
  test_cleanup: testCleanupSchema.optional(),
  test_summary: z.object({ status: z.string() }).optional(),
  type: z.string().optional(),
  diagnostic: diagnosticSchema.optional(),
  hook: hookSchema.optional(),
  change: z.object({ resource: resourceSchema.nullish(), previous_resource: resourceSchema.nullish() }).nullish(),
  changes: z.object({ operation: z.string() }).optional(),
  outputs: z.record(z.string(), outputSchema).optional(),
});
/** One line of the engine's `-json` stream, as far as the runner reads it. */
export type EngineEvent = z.infer<typeof eventSchema>;

/** Gives the addresses of the resources of an event. */
export function addressesIn({ hook, diagnostic, change }: EngineEvent): string[] {
  const addresses = [
    hook?.resource?.addr,
    diagnostic?.address,
    change?.resource?.addr,
    change?.previous_resource?.addr,
  ];
  return addresses.flatMap((address) => address ?? []);
}

/** Parses an event; `undefined` for any other line, which a program below the engine may write. */
export function parseEngineEvent(line: string): EngineEvent | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    // Only outputs carry numbers that a person reads.
    const parse = line.includes('"type":"outputs"') ? parseExactJson : JSON.parse;
    return eventSchema.safeParse(parse(line)).data;
  } catch {
    return undefined;
  }
}

const MESSAGE_START = /^\{(?:"@level":"[a-z]+",)?"@message":"((?:[^"\\]+|\\(?:u[0-9a-fA-F]{4}|[^u]))*)/;

/** Reads the message of an event that was cut; `undefined` if the line is no event. */
export function messageOfBeginning(line: string): string | undefined {
  const escaped = MESSAGE_START.exec(line)?.[1];
  if (escaped === undefined) return undefined;
  try {
    const message: unknown = JSON.parse(`"${escaped}"`);
    return typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}

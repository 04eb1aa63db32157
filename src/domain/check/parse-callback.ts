/** Reads reports of external checks: documents of JSON:API, as HCP's run tasks send them. */
import { z } from "zod";
import { type CheckOutcome, TAG_LEVELS } from "../../model/check/external-check.ts";
import { LIMITS } from "../../model/kit/limits.ts";

/** A report of a check. */
export interface CheckReport {
  status: "running" | "passed" | "failed";
  message: string | null;
  url: string | null;
  /** `null`: the report has none, and those before stay. */
  outcomes: CheckOutcome[] | null;
}

/** A report that is none. The pointer leads into the document. */
export class ReportRefused extends Error {
  override readonly name = "ReportRefused";
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

const { messageLength, urlLength, descriptionLength, outcomeIdLength, labelLength } = LIMITS.checkReport;

/** Postgres stores neither U+0000 nor half of a character; other control characters are of no use. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;
const clean = (text: string): string => text.replace(CONTROL, "").toWellFormed();

/** Services send an empty text in place of none. */
const optional = (length: number) =>
  z
    .string()
    .max(length)
    .nullish()
    .transform((text) => (text === undefined || text === null || text === "" ? null : clean(text)));

const link = optional(urlLength).refine((text) => text === null || isLink(text), {
  error: "must be an address that begins with https:// or http://",
});

function isLink(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === "https:" || protocol === "http:";
}

const label = z.object({
  label: z.string().min(1).max(labelLength).transform(clean),
  level: z.enum(TAG_LEVELS).default("none"),
});

const tags = z
  .record(z.string().min(1).max(labelLength).transform(clean), z.array(label).max(LIMITS.checkReport.labelsPerTag))
  .refine((value) => Object.keys(value).length <= LIMITS.checkReport.tagsPerOutcome, {
    error: `must have at most ${LIMITS.checkReport.tagsPerOutcome} headings`,
  })
  .nullish()
  .transform((value) => Object.entries(value ?? {}).map(([name, labels]) => ({ name, labels })));

const outcome = z.object({
  type: z.literal("task-result-outcomes").optional(),
  attributes: z.object({
    "outcome-id": z.string().min(1).max(outcomeIdLength).transform(clean),
    description: z.string().min(1).max(descriptionLength).transform(clean),
    body: optional(LIMITS.checkReport.outcomeBytes),
    url: link,
    tags,
  }),
});

const relationships = z.object({
  outcomes: z.object({ data: z.array(z.unknown()) }).optional(),
});

const report = z.object({
  data: z.object({
    type: z.literal("task-results"),
    attributes: z.object({
      status: z.enum(["running", "passed", "failed"]),
      message: optional(messageLength),
      url: link,
    }),
    relationships: relationships.optional(),
  }),
});

/** Parses a report. Fields that the protocol does not have are left out. Throws ReportRefused. */
export function parseReport(body: Buffer): CheckReport {
  const document = parseJson(body);
  const { data } = checked(report, document, "");
  const { status, message, url } = data.attributes;
  const sent = data.relationships?.outcomes?.data ?? null;
  return { status, message, url, outcomes: sent === null ? null : parseOutcomes(sent) };
}

function parseJson(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return value;
  } catch {
    throw new ReportRefused("", "must be a document of JSON:API.");
  }
}

const OUTCOMES = "/data/relationships/outcomes/data";

function parseOutcomes(sent: readonly unknown[]): CheckOutcome[] {
  const { outcomes: most, outcomeBytes, allBytes } = LIMITS.checkReport;
  if (sent.length > most) throw new ReportRefused(OUTCOMES, `must have at most ${most} outcomes.`);
  let total = 0;
  return sent.map((one, index) => {
    const pointer = `${OUTCOMES}/${index}`;
    const bytes = Buffer.byteLength(JSON.stringify(one));
    if (bytes > outcomeBytes) throw new ReportRefused(pointer, `must have at most ${outcomeBytes} bytes.`);
    total += bytes;
    if (total > allBytes) throw new ReportRefused(OUTCOMES, `must have at most ${allBytes} bytes together.`);
    const { "outcome-id": outcomeId, ...attributes } = checked(outcome, one, pointer).attributes;
    return { outcomeId, ...attributes };
  });
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, pointer: string): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const [issue] = error.issues;
  const path = (issue?.path ?? [])
    .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
  throw new ReportRefused(pointer + path, issue?.message ?? "is not valid.");
}

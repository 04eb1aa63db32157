/** Checks the lines that a runner sends: the text of log-text.ts, with the number of the first line in the URL. */
import { isUtf8 } from "node:buffer";
import { JobError } from "../domain/job/job-error.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { LOG_TEXT_TYPE, type LogTextSummary, summarizeLogText } from "../model/log/log-text.ts";
import type { ExecutedPhase } from "../model/run/phase.ts";
import { parseLogPlace } from "./parse.ts";

interface SentLines {
  phase: ExecutedPhase;
  firstLine: number;
  text: Buffer;
  summary: LogTextSummary;
  follows: boolean;
}

/** Reads a post of lines; `query` is that of its URL. Throws MALFORMED, also for a form that this server does not know. */
export function readSentLines(contentType: string | undefined, query: URLSearchParams, body: Buffer): SentLines {
  if (contentType !== LOG_TEXT_TYPE) throw new JobError("MALFORMED", `The content-type must be ${LOG_TEXT_TYPE}.`);
  const position = parseLogPlace({ phase: query.get("phase"), firstLine: query.get("firstLine") });
  if (!isUtf8(body)) throw new JobError("MALFORMED", "The body must be UTF-8.");
  return { ...position, text: body, summary: summaryOf(body), follows: query.has("follows") };
}

function summaryOf(text: Buffer): LogTextSummary {
  const summary = summarizeLogText(text);
  if (typeof summary === "string") throw new JobError("MALFORMED", `The body ${summary}.`);
  if (summary.lineCount <= LIMITS.logPageSize) return summary;
  throw new JobError("MALFORMED", `The body must have at most ${LIMITS.logPageSize} lines.`);
}

/** Lines of a log as runners send them: as text, or, those of earlier releases, as JSON. */
import { isUtf8 } from "node:buffer";
import { JobError } from "../domain/job/job-error.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { LOG_TEXT_TYPE, type LogTextSummary, summarizeLogText, writeLogText } from "../model/log/log-text.ts";
import type { ExecutedPhase } from "../model/run/phase.ts";
import { parseLogJson } from "./body.ts";
import { parseLog, parseLogPlace } from "./parse.ts";

interface SentLines {
  phase: ExecutedPhase;
  firstLine: number;
  text: Buffer;
  summary: LogTextSummary;
  follows: boolean;
}

/** `query`: what stands in the URL, which of JSON is nothing. Throws MALFORMED. */
export function readSentLines(contentType: string | undefined, query: URLSearchParams, body: Buffer): SentLines {
  if (contentType !== LOG_TEXT_TYPE) {
    const { lines, ...place } = parseLog(parseLogJson(body));
    const text = Buffer.from(writeLogText(lines));
    return { ...place, text, summary: machineInput(text), follows: false };
  }
  const place = parseLogPlace({ phase: query.get("phase"), firstLine: query.get("firstLine") });
  if (!isUtf8(body)) throw new JobError("MALFORMED", "The body must be UTF-8.");
  return { ...place, text: body, summary: machineInput(body), follows: query.has("follows") };
}

function machineInput(text: Buffer): LogTextSummary {
  const summary = summarizeLogText(text);
  if (typeof summary === "string") throw new JobError("MALFORMED", `The body ${summary}.`);
  if (summary.lineCount <= LIMITS.logPageSize) return summary;
  throw new JobError("MALFORMED", `The body must have at most ${LIMITS.logPageSize} lines.`);
}

/** Checks documents of plans without blocking other requests. */
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { JobError, type JobErrorCode } from "../domain/job/job-error.ts";
import { threadAnswer } from "../domain/kit/thread-answer.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { checkDocument, type CheckedDocument } from "./check-document.ts";

/** The answer of the thread. */
export type DocumentVerdict = { document: CheckedDocument } | { refused: JobErrorCode; message: string };

/** Compressed, a small document is far smaller. */
const INLINE_COMPRESSED = LIMITS.documentInlineBytes / 4;

/** Creates a check that uses a thread for each large document, for a few at a time. It throws MALFORMED and TOO_LARGE. */
export function createDocumentCheck(): (body: Uint8Array) => Promise<CheckedDocument> {
  const limit = pLimit(LIMITS.documentsCheckedAtOnce);
  return async (body) => checkHere(body) ?? limit(() => checkAside(body));
}

/** Checks a small document in this thread; `null` if the document is large. */
function checkHere(body: Uint8Array): CheckedDocument | null {
  if (body.length > INLINE_COMPRESSED) return null;
  try {
    return checkDocument(body, LIMITS.documentInlineBytes);
  } catch (error) {
    if (error instanceof JobError && error.code === "TOO_LARGE") return null;
    throw error;
  }
}

async function checkAside(body: Uint8Array): Promise<CheckedDocument> {
  const worker = new Worker(new URL("./check-document-worker.ts", import.meta.url), {
    workerData: body,
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.documentCheckMebibytes },
  });
  try {
    const verdict = await threadAnswer(worker, { work: "checks documents", isAnswer: isVerdict });
    if ("refused" in verdict) throw new JobError(verdict.refused, verdict.message);
    return verdict.document;
  } catch (error) {
    throw isOutOfMemory(error) ? outOfMemory() : error;
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function outOfMemory(): JobError {
  return new JobError("TOO_LARGE", "The document of the plan has too many parts to be checked.");
}

/** From our own thread: nothing else has these fields. */
function isVerdict(value: unknown): value is DocumentVerdict {
  return typeof value === "object" && value !== null && ("document" in value || "refused" in value);
}

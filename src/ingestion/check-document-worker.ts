/** The thread in which large documents of plans are checked; see check-document-aside.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { JobError } from "../domain/job/job-error.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { checkDocument } from "./check-document.ts";
import type { DocumentVerdict } from "./check-document-aside.ts";

const data: unknown = workerData;
if (data instanceof Uint8Array) parentPort?.postMessage(check(data));

/** An error loses what it is on its way to another thread. */
function check(body: Uint8Array): DocumentVerdict {
  try {
    return { document: checkDocument(body, LIMITS.documentRawBytes) };
  } catch (error) {
    if (error instanceof JobError) return { refused: error.code, message: error.message };
    throw error;
  }
}

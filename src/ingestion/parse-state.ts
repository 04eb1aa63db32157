/** Reads the fields of a state file that Holdpoint uses: in this thread if it is small, else in a worker thread. */
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { JobError, type JobErrorCode } from "../domain/job/job-error.ts";
import { threadAnswer } from "../domain/kit/thread-answer.ts";
import type { StateDocument } from "../domain/state/keep-state.ts";
import { JsonScan, JsonScanError } from "../model/kit/json-scan.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { parseStateJson } from "./body.ts";
import { parseState } from "./parse.ts";

export interface StateToParse {
  body: Uint8Array;
  /** People must send a whole state of an engine; a runner's may leave parts out. */
  byPerson: boolean;
}

/** The answer of the thread. */
export type ParsedState = { state: StateDocument } | { refused: JobErrorCode; message: string };

/** Version 4 is written by all engines since 0.12; a state that the engine encrypted has none. */
const ENGINE_VERSION = 4;
const OUTPUTS = { parts: LIMITS.stateOutputParts, bytes: LIMITS.stateOutputBytes };
/** Any other field: a number, or a short text. */
const FIELD = { parts: 1000, bytes: LIMITS.requestBytes };

/** Parses in this thread: 256 MiB take seconds. Throws MALFORMED, and TOO_LARGE for too many outputs. */
export function parseStateHere({ body, byPerson }: StateToParse): StateDocument {
  const { fields, resourceCount } = scanBody(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  if (byPerson && (fields.get("version") !== ENGINE_VERSION || resourceCount === null)) {
    throw new JobError(
      "MALFORMED",
      "The body must be a state of version 4 as `terraform state pull` writes it, not encrypted.",
    );
  }
  return { ...parseState(Object.fromEntries(fields)), resourceCount: resourceCount ?? 0 };
}

function scanBody(body: Buffer): ReturnType<typeof scanState> {
  try {
    return scanState(body);
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error;
    throw new JobError(error.code, error.code === "MALFORMED" ? `The body ${error.message}.` : error.message);
  }
}

/**
 * Passes over a state and parses the fields that Holdpoint uses. Its resources are counted and never parsed: a parser that
 * runs out of memory ends the whole process, not its thread, and a state may have a hundred million small values.
 */
function scanState(body: Buffer): { fields: Map<string, unknown>; resourceCount: number | null } {
  const fields = new Map<string, unknown>();
  let resourceCount: number | null = null;
  const scan = new JsonScan(body, LIMITS.stateDepth);
  if (scan.kind === "OBJECT") {
    scan.object((name) => {
      if (name === "resources") resourceCount = countResources(scan);
      else if (name === "outputs") fields.set(name, parseStateJson(scan.take("The outputs of a state", OUTPUTS)));
      else if (["version", "serial", "lineage"].includes(name))
        fields.set(name, parseStateJson(scan.take(`The ${name} of a state`, FIELD)));
      else scan.skip();
    });
  } else scan.skip();
  scan.end();
  return { fields, resourceCount };
}

/** Counts instances without those of data sources; `null` for null. */
function countResources(scan: JsonScan): number | null {
  if (scan.kind !== "LIST") {
    if (scan.take("The list of resources", FIELD) !== "null") throw malformed("resources: must be a list");
    return null;
  }
  let count = 0;
  scan.list((index) => {
    count += countInstances(scan, `resources.${index}`);
  });
  return count;
}

function countInstances(scan: JsonScan, path: string): number {
  if (scan.kind !== "OBJECT") throw malformed(`${path}: must be an object`);
  let isData = false;
  let count = 0;
  scan.object((name) => {
    if (name === "mode") {
      if (scan.kind !== "TEXT") throw malformed(`${path}.mode: must be a text`);
      isData = parseStateJson(scan.take("A mode", FIELD)) === "data";
    } else if (name === "instances") {
      if (scan.kind !== "LIST") throw malformed(`${path}.instances: must be a list`);
      count = 0;
      scan.list(() => {
        count += 1;
        scan.skip();
      });
    } else scan.skip();
  });
  return isData ? 0 : count;
}

function malformed(message: string): JobError {
  return new JobError("MALFORMED", message);
}

/** Few at a time: the thread has a copy of the state. */
const inTurn = pLimit(LIMITS.statesParsedAtOnce);

/** Parses a state without blocking other requests: large ones are parsed by a thread. */
export async function parseStateAside(sent: StateToParse): Promise<StateDocument> {
  if (sent.body.byteLength <= LIMITS.stateInlineBytes) return parseStateHere(sent);
  return inTurn(async () => {
    const worker = new Worker(new URL("./parse-state-worker.ts", import.meta.url), { workerData: sent });
    const parsed = await threadAnswer(worker, { work: "parses states", isAnswer: isParsed });
    if ("refused" in parsed) throw new JobError(parsed.refused, parsed.message);
    return parsed.state;
  });
}

/** From our own thread: nothing else has these fields. */
function isParsed(value: unknown): value is ParsedState {
  return typeof value === "object" && value !== null && ("state" in value || "refused" in value);
}

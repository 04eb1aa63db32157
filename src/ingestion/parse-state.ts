/** A state file that was sent, as far as Holdpoint reads it: in this thread where it is small, else in one of its own. */
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { JobError } from "../domain/job/job-error.ts";
import { threadAnswer } from "../domain/kit/thread-answer.ts";
import type { StateDocument } from "../domain/state/keep-state.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { parseStateJson } from "./body.ts";
import { parseState } from "./parse.ts";

export interface StateToParse {
  body: Uint8Array;
  /** People send what an engine wrote, and nothing less; a runner's may leave things out. */
  byPerson: boolean;
}

/** The answer of the thread. */
export type ParsedState = { state: StateDocument } | { malformed: string };

/** Version 4 is what all engines since 0.12 write; a state that the engine encrypted has none. */
const engineState = z.looseObject({ version: z.literal(4), resources: z.array(z.unknown()) });

/** In this thread: 50 MB take seconds. Throws MALFORMED. */
export function parseStateHere({ body, byPerson }: StateToParse): StateDocument {
  const value = parseStateJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  if (byPerson && !engineState.safeParse(value).success) {
    throw new JobError(
      "MALFORMED",
      "The body must be a state of version 4 as `terraform state pull` writes it, not encrypted.",
    );
  }
  return parseState(value);
}

/** Parses a state without blocking other requests: large ones are parsed by a thread. */
export async function parseStateAside(sent: StateToParse): Promise<StateDocument> {
  if (sent.body.byteLength <= LIMITS.stateInlineBytes) return parseStateHere(sent);
  const worker = new Worker(new URL("./parse-state-worker.ts", import.meta.url), { workerData: sent });
  const parsed = await threadAnswer(worker, { work: "parses states", isAnswer: isParsed });
  if ("malformed" in parsed) throw new JobError("MALFORMED", parsed.malformed);
  return parsed.state;
}

/** From our own thread: nothing else has these fields. */
function isParsed(value: unknown): value is ParsedState {
  return typeof value === "object" && value !== null && ("state" in value || "malformed" in value);
}

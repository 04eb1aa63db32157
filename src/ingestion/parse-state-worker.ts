/** The thread in which large states are parsed; see parse-state.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { JobError } from "../domain/job/job-error.ts";
import { type ParsedState, parseStateHere, type StateToParse } from "./parse-state.ts";

const data: unknown = workerData;
if (isStateToParse(data)) parentPort?.postMessage(parse(data));

/** An error loses what it is on its way to another thread. */
function parse(sent: StateToParse): ParsedState {
  try {
    return { state: parseStateHere(sent) };
  } catch (error) {
    if (error instanceof JobError) return { refused: error.code, message: error.message };
    throw error;
  }
}

/** From our own process: nothing else starts this thread. */
function isStateToParse(value: unknown): value is StateToParse {
  return typeof value === "object" && value !== null && "body" in value && "byPerson" in value;
}

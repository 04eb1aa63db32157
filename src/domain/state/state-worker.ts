/** The worker thread that examines large states (examine-states.ts). */
import { parentPort, workerData } from "node:worker_threads";
import { examineStates, type StateQuestion } from "./examine-states.ts";

const data: unknown = workerData;
if (isQuestion(data)) parentPort?.postMessage(examineStates(data));

/** Narrows a message of our own process; nothing else starts this thread. */
function isQuestion(value: unknown): value is StateQuestion {
  return typeof value === "object" && value !== null && "states" in value;
}

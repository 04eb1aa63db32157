/** The worker thread that examines large states (examine-states.ts). */
import { parentPort, workerData } from "node:worker_threads";
import { examineStates, type StateExamination } from "./examine-states.ts";

const data: unknown = workerData;
if (isExamination(data)) parentPort?.postMessage(examineStates(data));

/** Narrows a message of our own process; nothing else starts this thread. */
function isExamination(value: unknown): value is StateExamination {
  return typeof value === "object" && value !== null && "states" in value;
}

/** Parses and compares states: in this thread if they are small, else in a worker thread. */
import { Worker } from "node:worker_threads";
import { parseExactJson } from "../../model/kit/exact-json.ts";
import { countJsonParts } from "../../model/kit/json-parts.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { compareStates, type ComparisonOptions, type StateDifference } from "../../model/state/state-comparison.ts";
import { stateInstances } from "../../model/state/state-file.ts";
import { threadAnswer } from "../kit/thread-answer.ts";
import type { PlacedResource, ResourceSelection, StateResources } from "./state-domain.ts";

export type StateExamination =
  | { type: "LIST"; states: readonly [Uint8Array]; selection: ResourceSelection }
  | { type: "COMPARE"; states: readonly [Uint8Array, Uint8Array]; options: ComparisonOptions };

export type ExaminedStates =
  | ({ type: "LIST" } & StateResources)
  | { type: "COMPARE"; difference: StateDifference }
  | { type: "TOO_LARGE" };

/** Examines states in this thread; 50 MB take seconds. States with too many values are not parsed. */
export function examineStates(examination: StateExamination): ExaminedStates {
  const parts = examination.states.reduce((sum, state) => sum + countJsonParts(state), 0);
  if (parts > LIMITS.stateExaminedParts) return { type: "TOO_LARGE" };
  if (examination.type === "COMPARE") {
    const [before, after] = examination.states;
    return { type: "COMPARE", difference: compareStates(parse(before), parse(after), examination.options) };
  }
  return { type: "LIST", ...selectResources(parse(examination.states[0]), examination.selection) };
}

/** Counts the resources of a state that match, and lists some of them. */
function selectResources(state: unknown, { search, after, max }: ResourceSelection): StateResources {
  const part = search?.toLowerCase() ?? "";
  const resources: PlacedResource[] = [];
  let count = 0;
  let hasMore = false;
  let position = -1;
  for (const { address, type, name, module, provider, dependsOn } of stateInstances(state)) {
    position += 1;
    if (!address.toLowerCase().includes(part)) continue;
    count += 1;
    if (position <= after) continue;
    if (resources.length === max) hasMore = true;
    else resources.push({ position, address, type, name, module, provider, dependsOn });
  }
  return { count, resources, hasMore };
}

function parse(bytes: Uint8Array): unknown {
  return parseExactJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}

/** Examines states without blocking. Buffers of large states are transferred to the worker and are empty afterwards. */
export async function examineInBackground(examination: StateExamination): Promise<ExaminedStates> {
  const size = examination.states.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (size <= LIMITS.stateInlineBytes) return examineStates(examination);
  const states = examination.states.map(toTransfer);
  const worker = new Worker(new URL("./state-worker.ts", import.meta.url), {
    workerData: { ...examination, states },
    // Copying would block this thread for a tenth of a second.
    transferList: states.map(({ buffer }) => buffer),
    // Beyond this the whole process would end: the number of values keeps the thread far below.
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.stateExaminedMebibytes },
  });
  return threadAnswer(worker, { work: "examines states", isAnswer: isExaminedStates });
}

/** Copies bytes that share their memory with others. */
function toTransfer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

/** Narrows a message of our own worker; nothing else has this type. */
function isExaminedStates(value: unknown): value is ExaminedStates {
  return typeof value === "object" && value !== null && "type" in value;
}

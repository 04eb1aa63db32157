/** The position of a run in the queue of its workspace. */
import { STATUS_OF } from "../lifecycle/run-status.ts";
import type { Run } from "./run.ts";

/** Runs go by class, then by priority, the higher first, then by number. */
export interface QueuePosition {
  /** 0: approved, 1: to be planned again, 2: not admitted yet. */
  class: number;
  priority: number;
  number: number;
}

export function queuePosition({
  status,
  priority,
  number,
}: Pick<Run, "status" | "priority" | "number">): QueuePosition {
  return { class: status === STATUS_OF.approval ? 0 : status === STATUS_OF.creation ? 2 : 1, priority, number };
}

/** Writes a position as a text of digits, points and signs. */
export function writeQueuePosition(position: QueuePosition): string {
  return `${position.class}.${position.priority}.${position.number}`;
}

const POSITION = /^([012])\.(-?\d{1,9})\.(\d{1,9})$/;

/** Reads what `writeQueuePosition` wrote; `null` if it is something else. */
export function readQueuePosition(text: unknown): QueuePosition | null {
  const found = typeof text === "string" ? POSITION.exec(text) : null;
  return found === null ? null : { class: Number(found[1]), priority: Number(found[2]), number: Number(found[3]) };
}

import { type Holdpoint, startHoldpoint } from "../holdpoint.ts";

let shared: Promise<Holdpoint> | null = null;

/** One server for all parts of a test file: its start and its first plans cost more than what most parts do with it. */
export function sharedHoldpoint(): Promise<Holdpoint> {
  shared ??= startHoldpoint();
  return shared;
}

export async function endSharedHoldpoint(): Promise<void> {
  const ended = shared;
  shared = null;
  await (await ended)?.[Symbol.asyncDispose]();
}

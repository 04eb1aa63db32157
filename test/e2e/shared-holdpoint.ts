import { type Holdpoint, startHoldpoint } from "./holdpoint.ts";

/** What the server is started with, and no engine may see. */
export const ADMIN_TOKEN = "hpt_admin-token-that-no-provisioner-may-see";
export const SOMETHING_ELSE = "of whoever starts the server";

let shared: Promise<Holdpoint> | null = null;

/** One server for all parts of a test file: its start and its first plans cost more than what most parts do with it. */
export function sharedHoldpoint(): Promise<Holdpoint> {
  shared ??= startHoldpoint({ HOLDPOINT_ADMIN_TOKEN: ADMIN_TOKEN, SOMETHING_ELSE });
  return shared;
}

export async function endSharedHoldpoint(): Promise<void> {
  const ended = shared;
  shared = null;
  await (await ended)?.[Symbol.asyncDispose]();
}

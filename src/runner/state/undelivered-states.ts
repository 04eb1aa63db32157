import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JobKey } from "../job/folder-owner.ts";
import { isAlive, JobFolder } from "../job/job-folder.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import type { Signal } from "../kit/signal.ts";
import { BackOff, type RetryLimits } from "../server/back-off.ts";
import { ProtocolRefusal, readBody, sendOnce, retryUntilAnswered } from "../server/server-request.ts";
import { ownLock } from "./state-delivery.ts";

type Bytes = Buffer<ArrayBuffer>;

export interface RedeliveryOptions {
  jobsFolder: string;
  serverUrl: string;
  /** Gives whether this runner works on the job. */
  isRunning: (jobId: string) => boolean;
  /** Raised when a job ended with an undelivered state. */
  added: Signal;
  randomId: () => string;
  clock: () => Date;
  limits: RetryLimits & Pick<RunnerLimits, "redeliveryFirstMs" | "redeliveryLastMs" | "transferMs">;
  log: RunnerLog;
  signal: AbortSignal;
}

/**
 * Delivers states that their jobs could not deliver, under the tokens of those jobs, until the signal. Refused states are
 * retried with growing pauses. The server stores a state as a version (200) or as a recovered state (202); then the folder
 * is removed. Never throws.
 */
export async function redeliverStates(options: RedeliveryOptions): Promise<void> {
  const { signal, log, limits, added } = options;
  const known = new Set<string>();
  let waitMs: number = limits.redeliveryFirstMs;
  while (!signal.aborted) {
    const more = added.wait().then(() => {
      waitMs = limits.redeliveryFirstMs;
    });
    try {
      for (const folder of await findUndelivered(options)) await deliver(folder, options, known);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, "Undelivered states could not be read: retrying");
    }
    await waitFor(waitMs, more, signal);
    waitMs = Math.min(waitMs * 2, limits.redeliveryLastMs);
  }
}

/** Waits for a time, for a further state, or for the signal. */
async function waitFor(ms: number, more: Promise<void>, signal: AbortSignal): Promise<void> {
  const end = new AbortController();
  const time = sleep(ms, undefined, { signal: AbortSignal.any([signal, end.signal]) }).catch(() => undefined);
  await Promise.race([time, more]);
  end.abort();
}

/** Finds folders with a state whose job has no process any more. */
async function findUndelivered({ jobsFolder, isRunning }: RedeliveryOptions): Promise<JobFolder[]> {
  const found: JobFolder[] = [];
  for (const name of await readdir(jobsFolder)) {
    const folder = await JobFolder.at(join(jobsFolder, name));
    const owner = await folder.owner();
    const busy = isAlive(owner) && (owner.pid !== process.pid || isRunning(name));
    if (!busy && (await folder.undeliveredState()) !== null) found.push(folder);
  }
  return found;
}

/** Delivers the state of a folder. `known` has the folders whose refusal was logged already. */
async function deliver(folder: JobFolder, options: RedeliveryOptions, known: Set<string>): Promise<void> {
  const { log } = options;
  const fields = { folder: folder.path };
  try {
    const job = (await folder.owner())?.job;
    if (job === undefined) throw new Error("The folder has no readable file that names its job");
    const storedAs = await send(folder, job, options);
    await folder.remove();
    log.info({ ...fields, jobId: job.id, storedAs }, "An undelivered state was delivered");
  } catch (error) {
    if (options.signal.aborted) return;
    if (!known.has(folder.path)) {
      log.error({ ...fields, err: error }, "A state could not be delivered: it is kept, and delivery is retried");
    }
    known.add(folder.path);
  }
}

/** Sends a state; returns how the server keeps it. Throws ProtocolRefusal. */
async function send(folder: JobFolder, job: JobKey, options: RedeliveryOptions): Promise<"CURRENT" | "RECOVERED"> {
  const errored = await folder.readErroredState();
  const bytes: Bytes = errored ?? Buffer.from(await readFile(folder.undeliveredFile));
  const held = await folder.heldLock();
  const own = ownLock(options.randomId(), options.clock());
  // Without a lease there is no lock to get, and a recovered state needs none.
  const locked = held === undefined && (await post(job, "state/lock", JSON.stringify(own), options)) !== null;
  const status = await requirePost(job, `state?ID=${encodeURIComponent(held ?? own.ID)}`, bytes, options);
  if (locked) await post(job, "state/unlock", JSON.stringify(own), options);
  return status === 202 ? "RECOVERED" : "CURRENT";
}

/** Posts and gives the status; `null` if it was refused. */
async function post(job: JobKey, path: string, body: string, options: RedeliveryOptions): Promise<number | null> {
  try {
    return await requirePost(job, path, body, options);
  } catch (error) {
    if (error instanceof ProtocolRefusal) return null;
    throw error;
  }
}

function requirePost({ id, token }: JobKey, path: string, body: string | Bytes, options: RedeliveryOptions) {
  const { serverUrl, limits, log, signal } = options;
  const request = {
    method: "POST",
    path: `jobs/${encodeURIComponent(id)}/${path}`,
    token,
    body,
    contentType: "application/json",
    timeoutMs: limits.transferMs,
    signal,
  };
  const attempt = async (): Promise<number> => {
    const response = await sendOnce(serverUrl, request);
    await readBody(response, signal);
    return response.status;
  };
  return retryUntilAnswered(attempt, { backOff: new BackOff(limits), signal, log });
}

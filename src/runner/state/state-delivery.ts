import { rmSync, writeFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { z } from "zod";
import type { LockInfo } from "../../ingestion/wire.ts";
import type { JobControl } from "../job/job-control.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import { BackOff, type RetryLimits } from "../server/back-off.ts";
import type { JobClient, StateAnswer } from "../server/job-client.ts";
import { retryUntilAnswered } from "../server/server-request.ts";

type Bytes = Buffer<ArrayBuffer>;

export interface StateDeliveryOptions {
  client: Pick<JobClient, "state">;
  control: JobControl;
  /** File of a state until the server has it. */
  undeliveredFile: string;
  /** File with the id of the engine's lock while it holds one. */
  lockFile: string;
  randomId: () => string;
  clock: () => Date;
  limits: RetryLimits & Pick<RunnerLimits, "stateHoldMs" | "stateSettleMs">;
  log: RunnerLog;
}

/** The problem of an unsaved state; `null` if the server has the newest state. */
export type SettleResult = { problem: string } | null;

interface Pending {
  bytes: Bytes;
  sending: Promise<StateAnswer>;
  abandon: AbortController;
}

const STATUS_AWAY = 503;
/** The server keeps the state, but not as the current one: see RecoveredAnswer. */
const STATUS_RECOVERED = 202;

/** Delivers states of the engine to the server, and keeps undelivered ones on disk. */
export class StateDelivery {
  readonly #options: StateDeliveryOptions;
  #pending: Pending | null = null;
  #heldLock: string | null = null;

  constructor(options: StateDeliveryOptions) {
    this.#options = options;
  }

  /** Notes the lock of the engine, once the server has confirmed it. */
  lockTaken(id: string): void {
    this.#heldLock = id;
    writeFileSync(this.#options.lockFile, id, { mode: 0o600 });
  }

  lockReleased(): void {
    this.#heldLock = null;
    rmSync(this.#options.lockFile, { force: true });
  }

  /** Whether an engine took the lock and did not release it. */
  get lockHeld(): boolean {
    return this.#heldLock !== null;
  }

  /**
   * Delivers a state and gives the server's answer. While the server does not answer, the state is on disk and delivery is
   * retried. The engine waits for a bounded time, then gets 503; delivery continues.
   */
  async deliver(bytes: Bytes, lockId: string): Promise<StateAnswer> {
    const pending = await this.#begin(bytes, lockId);
    const hold = Promise.withResolvers<StateAnswer>();
    const body = Buffer.from("The server did not store the state in time. The runner keeps it and retries.");
    const timer = setTimeout(() => hold.resolve({ status: STATUS_AWAY, body }), this.#options.limits.stateHoldMs);
    try {
      return await Promise.race([pending.sending, hold.promise]);
    } catch {
      return { status: STATUS_AWAY, body };
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Ensures, after the engine's end, that the server has the newest state: `errored`, which the engine left in its folder,
   * or else the last that it sent. Uses the engine's lock, or takes one if that is released.
   */
  async settle(errored: Bytes | undefined): Promise<SettleResult> {
    const last = this.#pending;
    if (errored === undefined && last === null) return null;
    const bytes = errored ?? last?.bytes;
    if (bytes === undefined) return null;
    const deadline = AbortSignal.timeout(this.#options.limits.stateSettleMs);
    last?.abandon.abort();
    await last?.sending.catch(() => undefined);
    try {
      await this.#keepOnDisk(bytes);
      const answer = await this.#bring(bytes, deadline);
      if (answer.status >= 300) return { problem: `The server refused the state: ${describe(answer)}` };
      await this.#delivered();
      return null;
    } catch (error) {
      if (!deadline.aborted && !this.#options.control.ended.aborted) throw error;
      return { problem: "The server did not answer" };
    }
  }

  async #begin(bytes: Bytes, lockId: string): Promise<Pending> {
    this.#pending?.abandon.abort();
    await this.#pending?.sending.catch(() => undefined);
    await this.#keepOnDisk(bytes);
    const abandon = new AbortController();
    const { control, limits } = this.#options;
    const end = control.isLost ? AbortSignal.timeout(limits.stateSettleMs) : control.ended;
    const signal = AbortSignal.any([end, abandon.signal]);
    const sending = this.#post(bytes, lockId, signal);
    const pending: Pending = { bytes, sending, abandon };
    this.#pending = pending;
    pending.sending = sending.then(async (answer) => {
      if (answer.status < 300 && this.#pending === pending) await this.#delivered();
      return answer;
    });
    pending.sending.catch(() => undefined);
    return pending;
  }

  async #delivered(): Promise<void> {
    this.#pending = null;
    await rm(this.#options.undeliveredFile, { force: true });
  }

  /** Writes the state to disk before it is sent, in case the runner is killed meanwhile. */
  async #keepOnDisk(bytes: Bytes): Promise<void> {
    await writeFile(this.#options.undeliveredFile, bytes, { mode: 0o600 });
  }

  /** Delivers a state. If the job is over, the server may keep the state as a recovered one. */
  async #bring(bytes: Bytes, deadline: AbortSignal): Promise<StateAnswer> {
    const { control } = this.#options;
    if (!control.isLost) {
      try {
        const answer = await this.#postUnderLock(bytes, AbortSignal.any([control.ended, deadline]));
        if (answer.status < 300 || !control.isLost) return answer;
      } catch (error) {
        if (!control.isLost) throw error;
      }
    }
    return this.#post(bytes, this.#heldLock ?? "", deadline);
  }

  async #post(bytes: Bytes, lockId: string, signal: AbortSignal): Promise<StateAnswer> {
    const path = `state?ID=${encodeURIComponent(lockId)}`;
    const answer = await this.#retried(signal, () => this.#options.client.state("POST", path, signal, bytes));
    if (answer.status !== STATUS_RECOVERED) return answer;
    this.#options.log.warn(
      {},
      "The job was over: the server keeps its state as a recovered state. Adopt or discard it there.",
    );
    // The engine only understands 200.
    return { ...answer, status: 200 };
  }

  async #postUnderLock(bytes: Bytes, signal: AbortSignal): Promise<StateAnswer> {
    if (this.#heldLock !== null) return this.#post(bytes, this.#heldLock, signal);
    const { randomId, clock, lockFile } = this.#options;
    const lock = ownLock(randomId(), clock());
    writeFileSync(lockFile, lock.ID, { mode: 0o600 });
    const body = Buffer.from(JSON.stringify(lock));
    const locked = await this.#retried(signal, () => this.#options.client.state("POST", "state/lock", signal, body));
    if (locked.status >= 300) return locked;
    try {
      return await this.#post(bytes, lock.ID, signal);
    } finally {
      await this.#retried(signal, () => this.#options.client.state("POST", "state/unlock", signal, body)).catch(
        (error: unknown) => {
          this.#options.log.warn({ err: error }, "The state lock could not be released");
        },
      );
    }
  }

  #retried(signal: AbortSignal, attempt: () => Promise<StateAnswer>): Promise<StateAnswer> {
    const { limits, log } = this.#options;
    return retryUntilAnswered(attempt, { backOff: new BackOff(limits), signal, log });
  }
}

/** The lock under which a runner stores a state that the engine could not store. */
export function ownLock(id: string, at: Date): LockInfo {
  return {
    ID: id,
    Operation: "OperationTypeApply",
    Info: "Storing the state that the engine could not store",
    Who: "holdpoint-runner",
    Version: "",
    Created: at.toISOString(),
    Path: "",
  };
}

const messageSchema = z.object({ message: z.string() });

function describe({ status, body }: StateAnswer): string {
  try {
    return `${messageSchema.parse(JSON.parse(body.toString())).message} (status ${status})`;
  } catch {
    return `status ${status}`;
  }
}

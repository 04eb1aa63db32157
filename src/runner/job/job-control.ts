/** Why a job must end before its work is done. LOST: the server has taken it back; nothing more can be reported. */
export type StopReason = "CANCEL" | "TIMEOUT" | "DRAIN" | "INTERRUPT" | "LOST";

/** Thrown where work stops because of `JobControl.reason`. */
export class JobStopped extends Error {
  override readonly name = "JobStopped";
}

/**
 * Decides whether a job continues. `stop` is aborted when its work must end: the engine is interrupted. `ended` is aborted
 * when reports are of no use any more: requests are given up.
 */
export class JobControl {
  readonly #stop = new AbortController();
  readonly #ended = new AbortController();
  readonly #hurry = new AbortController();
  readonly #deliveryMs: number;
  #deadline: NodeJS.Timeout | undefined;
  #reason: StopReason | null = null;
  #applying = false;
  #draining = false;
  #engineEnded = false;

  /** `deliveryMs`: how long reports are retried once the runner drains. */
  constructor(deliveryMs: number) {
    this.#deliveryMs = deliveryMs;
  }

  get reason(): StopReason | null {
    return this.#reason;
  }

  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Aborted when the grace of an ending engine is to be shortened. */
  get hurry(): AbortSignal {
    return this.#hurry.signal;
  }

  get applying(): boolean {
    return this.#applying;
  }

  get isLost(): boolean {
    return this.#reason === "LOST";
  }

  /** Notes that infrastructure may change from here on: a drain waits, and the job cannot be handed back. */
  beginApply(): void {
    this.throwIfStopped();
    this.#applying = true;
  }

  throwIfStopped(): void {
    if (this.#reason !== null) throw new JobStopped(this.#reason);
  }

  cancel(): void {
    this.#stopFor("CANCEL");
  }

  /** Stops the job because a limit was exceeded. */
  timeOut(): void {
    this.#stopFor("TIMEOUT");
  }

  drain(): void {
    this.#draining = true;
    if (!this.#applying) this.#stopFor("DRAIN");
    this.#limitDelivery();
  }

  interrupt(): void {
    this.#draining = true;
    this.#stopFor(this.#applying ? "INTERRUPT" : "DRAIN");
    this.#hurry.abort(new JobStopped("INTERRUPT"));
    this.#limitDelivery();
  }

  /** Notes that the lease is lost or the run has ended. It overrides every other reason. */
  lose(): void {
    if (this.#reason === "LOST") return;
    this.#reason = "LOST";
    this.#stop.abort(new JobStopped("LOST"));
    this.#hurry.abort(new JobStopped("LOST"));
    this.#ended.abort(new JobStopped("LOST"));
  }

  /** Notes the end of the apply's engine. The time for reports of a drained runner begins here. */
  engineEnded(): void {
    this.#engineEnded = true;
    this.#limitDelivery();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#deadline);
  }

  #stopFor(reason: StopReason): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#stop.abort(new JobStopped(reason));
  }

  #limitDelivery(): void {
    if (!this.#draining || (this.#applying && !this.#engineEnded)) return;
    this.#deadline ??= setTimeout(() => this.#ended.abort(new JobStopped("DRAIN")), this.#deliveryMs);
  }
}

import type { ProgressReport } from "../../ingestion/wire.ts";
import type { EngineEvent } from "../engine/engine-event.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import { readableLines } from "../log/log-text.ts";
import type { Masker } from "../mask/masker.ts";
import { ProtocolRefusal } from "../server/server-request.ts";
import type { EngineProgress } from "./engine-progress.ts";

export interface ProgressShipperOptions {
  client: { sendProgress(report: ProgressReport, signal: AbortSignal): Promise<void> };
  masker: Pick<Masker, "maskAddress">;
  clock: () => Date;
  limits: Pick<RunnerLimits, "progressMs" | "progressFirstMs" | "progressShown" | "progressAddressLength">;
}

/** The status of a report that came too early or too late; a later one may be accepted. */
const TRY_AGAIN = 409;

/**
 * Reports the progress of the engine to the server: one report at a time, at most one in `progressMs`, and only after a
 * change. The first follows a moment after the engine's start. The job does not wait for it. A lost report is not sent
 * again, because the next one replaces it.
 */
export class ProgressShipper implements Disposable {
  readonly #options: ProgressShipperOptions;
  readonly #closed = new AbortController();
  #progress: EngineProgress | null = null;
  #changed = false;
  #sequence = 0;
  #sending = false;
  #urgent = false;
  #sentMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ProgressShipperOptions) {
    this.#options = options;
  }

  /** Begins the progress of an engine. */
  begin(progress: EngineProgress): void {
    const { progressFirstMs, progressMs } = this.#options.limits;
    this.#progress = progress;
    this.#sentMs = Math.max(this.#sentMs, performance.now() + progressFirstMs - progressMs);
    this.#change();
  }

  note(event: EngineEvent): void {
    if (this.#progress?.note(event, this.#options.clock().toISOString()) === true) this.#change();
  }

  /** Reports the last change at once, because the engine has ended. */
  end(): void {
    this.#urgent = true;
    this.#schedule();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#closed.abort();
  }

  #change(): void {
    this.#changed = true;
    this.#urgent = false;
    this.#schedule();
  }

  #schedule(): void {
    if (!this.#changed || this.#sending || this.#closed.signal.aborted) return;
    const waitMs = this.#urgent ? 0 : this.#sentMs + this.#options.limits.progressMs - performance.now();
    clearTimeout(this.#timer);
    if (waitMs > 0) this.#timer = setTimeout(() => void this.#send(), waitMs);
    else void this.#send();
  }

  async #send(): Promise<void> {
    const { client, limits } = this.#options;
    if (this.#progress === null || this.#closed.signal.aborted) return;
    this.#sending = true;
    this.#changed = false;
    this.#sentMs = performance.now();
    this.#sequence += 1;
    try {
      const progress = this.#progress.snapshot((address) => this.#shown(address), limits.progressShown);
      await client.sendProgress({ sequence: this.#sequence, ...progress }, this.#closed.signal);
    } catch (error) {
      // The job is over: no report is wanted any more.
      if (error instanceof ProtocolRefusal && error.status !== TRY_AGAIN) this.#closed.abort();
    } finally {
      this.#sending = false;
    }
    this.#schedule();
  }

  /** Makes an address readable. Its keys come from the configuration: they may be long and hold any character. */
  #shown(address: string): string {
    const { masker, limits } = this.#options;
    const line = readableLines(masker.maskAddress(address)).join(" ");
    return line.slice(0, limits.progressAddressLength).toWellFormed() || "?";
  }
}

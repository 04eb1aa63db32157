/** Engines that are started before their turn: most of a start has nothing to do with what the engine is to do. */
import { chmodSync, closeSync, constants, openSync, readSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "../ingestion/wire.ts";
import type { EngineIsolation } from "./engine-command.ts";
import { takePipe } from "./engine-pipes.ts";
import { signalGroup } from "./engine-process.ts";

/**
 * Whether the engine waits for its settings; null: nobody has seen it yet. A wrapper around it may name others, and one
 * that does not wait must not be started early.
 */
export interface EngineHabit {
  waits: boolean | null;
}

export interface TurnOptions {
  readonly habit: EngineHabit;
  /** Whether the engine may be given settings at all: whoever names some of their own has those. */
  readonly isAllowed: boolean;
  /** The job's. */
  readonly folder: string;
  readonly uid: number | null;
}

/** Where one engine waits. */
export interface TurnPlace {
  readonly environment: Readonly<Record<string, string>>;
  /** It was started; `ended`: it has ended. */
  started(pid: number, ended: AbortSignal): void;
}

/** What says where the engine's settings are: of terraform also under its old name, of tofu by the folder that they are in. */
const SETTINGS = /^(?:TF_CLI_CONFIG_FILE|TERRAFORM_CONFIG|XDG_CONFIG_HOME)$/;

/**
 * Hooks may write settings, and change what others do; what stands before the engine may not see the pipe; and a bound on
 * processes that one engine needs is not enough for those that wait beside it.
 */
export function mayStartEarly(
  { hooks, variables }: Pick<Job, "hooks" | "variables">,
  { prefix, bounds }: EngineIsolation,
): boolean {
  const hasSettings = variables.some(({ category, key }) => category === "ENVIRONMENT" && SETTINGS.test(key));
  return hooks.length === 0 && !hasSettings && prefix.length === 0 && bounds.maxProcesses === null;
}

/** A script around the engine may do something of its own first, and that must not come before its turn. */
export function habitOf(path: string | undefined): EngineHabit {
  return { waits: path === undefined || isScript(path) ? false : null };
}

/** Its turn never comes. */
export class TurnDropped extends Error {
  override readonly name = "TurnDropped";
}

const POLL_MS = 2;

/**
 * The moment from which engines may work that were started before it. The first thing that an engine reads are its
 * settings (TF_CLI_CONFIG_FILE), and those are a named pipe that says nothing until then: nothing is in them. Measured: 22
 * of the 25 ms of a start come before that. Where the runner is killed, the pipe ends and the engine goes on, finds no
 * state backend, and ends.
 */
export class EngineTurn {
  readonly #options: TurnOptions;
  readonly #given = Promise.withResolvers<boolean>();
  readonly #waiting = new Set<number>();
  #isGiven = false;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** Fulfilled when it has come, or never will: false. */
  get given(): Promise<boolean> {
    return this.#given.promise;
  }

  /** Whether this process group waits for it. */
  has(group: number): boolean {
    return this.#waiting.has(group);
  }

  give(): void {
    this.#isGiven = true;
    this.#waiting.clear();
    this.#given.resolve(true);
  }

  /** Ends those that wait; nothing, where it was given. */
  drop(): void {
    this.#given.resolve(false);
  }

  /** null: it has come, and the engine need not wait. Throws TurnDropped. */
  async enter(): Promise<TurnPlace | null> {
    const { habit, isAllowed, folder, uid } = this.#options;
    // At its turn whoever is not known may show whether it waits.
    const waits = isAllowed && (habit.waits ?? this.#isGiven);
    const path = waits ? takePipe(folder, uid) : null;
    if (path !== null) {
      return {
        environment: { TF_CLI_CONFIG_FILE: path },
        started: (pid, ended) => {
          // Where it could not be told of its turn it would wait for ever.
          void this.#attend(path, pid, ended).catch(() => ended.aborted || signalGroup(pid, "SIGKILL"));
        },
      };
    }
    if (!(await this.#given.promise)) throw new TurnDropped();
    return null;
  }

  async #attend(path: string, pid: number, ended: AbortSignal): Promise<void> {
    if (!this.#isGiven) this.#waiting.add(pid);
    ended.addEventListener("abort", () => this.#waiting.delete(pid));
    void this.#given.promise.then((isGiven) => {
      if (!isGiven && !ended.aborted) signalGroup(pid, "SIGKILL");
    });
    const { habit } = this.#options;
    // Open at both ends, it ends with this runner also where that is killed before the engine has opened it.
    const writer = habit.waits === null ? await untilRead(path, ended) : openSync(path, constants.O_RDWR);
    habit.waits ??= writer !== null;
    if (writer === null) return;
    const end = Promise.withResolvers<boolean>();
    ended.addEventListener("abort", () => end.resolve(false));
    try {
      // What the engine itself starts may read them too, and must not wait.
      if (!ended.aborted && (await Promise.race([this.#given.promise, end.promise]))) becomeEmpty(path);
    } finally {
      closeSync(writer);
    }
  }
}

/** A command that may have been started before its turn. Where that does not come, disposing of it ends it. */
export interface Ahead<T> extends AsyncDisposable {
  go(): Promise<T>;
}

export function startAhead<T>(turn: EngineTurn, run: (turn: EngineTurn) => Promise<T>): Ahead<T> {
  const running = run(turn);
  // Whoever goes hears of it.
  running.catch(() => undefined);
  return {
    go() {
      turn.give();
      return running;
    },
    async [Symbol.asyncDispose]() {
      turn.drop();
      await running.catch(() => undefined);
    },
  };
}

/** The end of a pipe that is written to, when somebody reads it; null where `ended` comes before. */
async function untilRead(path: string, ended: AbortSignal): Promise<number | null> {
  while (!ended.aborted) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENXIO")) return null;
    }
    await sleep(POLL_MS);
  }
  return null;
}

/** At once: whoever opens it finds either the pipe or the file. */
function becomeEmpty(path: string): void {
  const file = `${path}.empty`;
  writeFileSync(file, "", { flag: "wx" });
  // Whatever the runner's umask is: its reader may be another user.
  chmodSync(file, 0o644);
  renameSync(file, path);
}

function isScript(path: string): boolean {
  try {
    const file = openSync(path, "r");
    try {
      const beginning = Buffer.alloc(2);
      readSync(file, beginning);
      return beginning.toString("latin1") === "#!";
    } finally {
      closeSync(file);
    }
  } catch {
    return true;
  }
}

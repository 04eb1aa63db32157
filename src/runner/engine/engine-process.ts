import { type ChildProcess, spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { processIdentity } from "../../os/process-identity.ts";
import type { JobControl } from "../job/job-control.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import { changesUser, type EngineIsolation, type PrefixPaths, isolatedCommand } from "./engine-command.ts";
import { openPipes } from "./engine-pipes.ts";

/** Bounds of the end of an engine. */
export type EngineEndLimits = Pick<
  RunnerLimits,
  "interruptGraceMs" | "cancelGraceMs" | "planGraceMs" | "outputGraceMs"
>;

export interface EngineCommand {
  /** Absolute path of the engine. */
  path: string;
  args: string[];
  cwd: string;
  /** The complete environment. */
  environment: Record<string, string>;
  /** `null`: the runner's own user. */
  uid: number | null;
  isolation: EngineIsolation;
  paths: Omit<PrefixPaths, "uid">;
  /** Records the process, so that a later runner finds it. */
  pidFile: string;
  control: JobControl;
  limits: EngineEndLimits;
  /** Reading pauses until it resolves. */
  onStdout: (chunk: Buffer) => Promise<void> | void;
  onStderr: (chunk: Buffer) => Promise<void> | void;
}

export interface EngineExit {
  /** `null` if a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** It received SIGINT because the job had to stop. */
  interrupted: boolean;
  /** It did not end within its grace and was killed. */
  killed: boolean;
}

/** The engine could not be started. */
export class EngineNotStarted extends Error {
  override readonly name = "EngineNotStarted";
}

/**
 * Runs the engine in a process group of its own and waits for its end. When the job must stop, the group gets SIGINT, a
 * grace, then SIGKILL. SIGINT is sent once, because at a second one the engine drops its state. Processes that the engine
 * leaves in its group end with it.
 */
export async function runEngine(command: EngineCommand): Promise<EngineExit> {
  command.control.throwIfStopped();
  const { child, ...streams } = await start(command);
  const ended = exitOf(child);
  const pid = await started(child, ended).catch((error: unknown) => {
    for (const stream of [streams.stdout, streams.stderr]) stream.destroy();
    throw error;
  });
  const identity = processIdentity(pid);
  if (identity !== null) {
    const { applying } = command.control;
    writeFileSync(command.pidFile, JSON.stringify({ ...identity, applying }), { mode: 0o600 });
  }
  const state = { interrupted: false, killed: false };
  const finished = new AbortController();
  const ending = endWhenStopped(pid, command, state, finished.signal);
  const output = new Output(streams, command);
  try {
    const { code, signal } = await ended;
    await output.end(pid, command.limits.outputGraceMs);
    return { code, signal, ...state };
  } finally {
    finished.abort();
    await ending;
    signalGroup(pid, "SIGKILL");
    rmSync(command.pidFile, { force: true });
  }
}

/** Signals a process group; false if it does not exist. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** The output of the engine. */
interface Streams {
  stdout: Readable;
  stderr: Readable;
}

async function start(command: EngineCommand): Promise<Streams & { child: ChildProcess }> {
  const pipes = await openPipes(command.paths.folder, command.uid);
  try {
    const child = spawnEngine(command, pipes?.descriptors ?? ["pipe", "pipe"]);
    const { stdout = child.stdout, stderr = child.stderr } = pipes ?? {};
    return { child, stdout: stdout ?? Readable.from([]), stderr: stderr ?? Readable.from([]) };
  } catch (error) {
    pipes?.stdout.destroy();
    pipes?.stderr.destroy();
    throw error;
  } finally {
    pipes?.started();
  }
}

function spawnEngine(command: EngineCommand, outputs: readonly [number | "pipe", number | "pipe"]): ChildProcess {
  const { path, cwd, environment, isolation, paths } = command;
  const ownUid = process.getuid?.() ?? 0;
  const words = isolatedCommand(command, isolation, { ...paths, uid: command.uid ?? ownUid });
  const uid = changesUser(isolation.prefix) ? null : command.uid;
  try {
    return spawn(words.path, words.args, {
      cwd,
      env: environment,
      detached: true,
      stdio: ["ignore", ...outputs],
      ...(uid === null ? {} : { uid, gid: uid }),
    });
  } catch (error) {
    throw notStarted(path, error);
  }
}

function notStarted(path: string, error: unknown): EngineNotStarted {
  const reason = error instanceof Error ? error.message : String(error);
  return new EngineNotStarted(`${path} could not be started: ${reason}`, { cause: error });
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", (error) => reject(notStarted(child.spawnfile, error)));
  });
}

async function started(child: ChildProcess, ended: Promise<Exit>): Promise<number> {
  if (child.pid === undefined) await ended;
  if (child.pid === undefined) throw new EngineNotStarted(`${child.spawnfile} could not be started`);
  return child.pid;
}

async function endWhenStopped(
  pid: number,
  { control, limits }: EngineCommand,
  state: { interrupted: boolean; killed: boolean },
  finished: AbortSignal,
): Promise<void> {
  await aborted(AbortSignal.any([control.stop, finished]));
  if (finished.aborted) return;
  const nothingToSave = !control.applying;
  if (!(nothingToSave && control.isLost)) {
    state.interrupted = signalGroup(pid, "SIGINT");
    const graceMs = nothingToSave && control.reason !== "CANCEL" ? limits.planGraceMs : limits.interruptGraceMs;
    const patient = !nothingToSave && control.reason === "CANCEL";
    if (patient) await wait(limits.cancelGraceMs, AbortSignal.any([finished, control.hurry]));
    // Fencing the job or interrupting the runner shortens this: then the usual grace is left.
    if (!patient || control.hurry.aborted) await wait(graceMs, finished);
  }
  if (finished.aborted) return;
  state.killed = signalGroup(pid, "SIGKILL");
}

/** Waits for a time, or until the signal. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Passes the output of a process to its handlers. */
class Output {
  readonly #streams: Streams;
  readonly #read: Promise<unknown>;
  #taking = 0;
  #done = false;

  constructor(streams: Streams, { onStdout, onStderr }: EngineCommand) {
    this.#streams = streams;
    this.#read = Promise.all([
      this.#consume(streams.stdout, onStdout),
      this.#consume(streams.stderr, onStderr),
    ]).finally(() => (this.#done = true));
    // A failing handler must not cause an unhandled rejection while the process runs.
    this.#read.catch(() => undefined);
  }

  /**
   * Waits for the rest, once the process has ended. A child of it may still hold the pipes: its group is killed after
   * a grace, and a child that left the group is not waited for.
   */
  async end(pid: number, graceMs: number): Promise<void> {
    const waiting = new AbortController();
    await Promise.race([this.#read, this.#silence(graceMs, waiting.signal)]).finally(() => waiting.abort());
    if (!this.#done) {
      signalGroup(pid, "SIGKILL");
      await Promise.race([this.#read, sleep(graceMs)]);
    }
    if (!this.#done) {
      this.#streams.stdout.destroy();
      this.#streams.stderr.destroy();
    }
    await this.#read.catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE")) throw error;
    });
  }

  async #consume(stream: Readable, take: (chunk: Buffer) => Promise<void> | void): Promise<void> {
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk)) continue;
      this.#taking += 1;
      try {
        await take(chunk);
      } finally {
        this.#taking -= 1;
      }
    }
  }

  /** Resolves when no output came for a while. Output that waits for its handler counts as output. */
  async #silence(graceMs: number, signal: AbortSignal): Promise<void> {
    for (let quiet = false; ; ) {
      const { stdout, stderr } = this.#streams;
      const idle = this.#taking === 0 && stdout.readableLength + stderr.readableLength === 0;
      if (idle && quiet) return;
      quiet = idle;
      await sleep(graceMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}

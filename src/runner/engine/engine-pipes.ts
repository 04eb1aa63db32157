import { execFile } from "node:child_process";
import { chownSync, closeSync, constants, fstatSync, openSync, readdirSync, renameSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

const run = promisify(execFile);
const NAMES = ["stdout", "stderr"] as const;
/** Names of spare pipes, enough for the engines of a plan. One `mkfifo` makes all of them: each start costs some ms. */
const SPARES = Array.from({ length: 8 }, (_, index) => `pipe-${index}`);

/** The output pipes of an engine, with both ends. */
export interface EnginePipes {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The ends of the engine; `started` closes them. */
  readonly descriptors: readonly [number, number];
  /** Closes the ends of the engine, once it was spawned or failed to. */
  started(): void;
}

/**
 * Opens named pipes in the job's folder that the engine holds open at both ends. With an ordinary pipe a killed runner
 * closes the other end: SIGPIPE then ends the engine before it saves its state (measured: exit 141, no errored.tfstate).
 * The next runner reads these pipes (`drainPipes`) while it ends the engine. `null` if the machine has no `mkfifo`.
 */
export async function openPipes(folder: string, uid: number | null): Promise<EnginePipes | null> {
  if (findSpares(folder).length < NAMES.length) await makeSpares(folder);
  // No await from here to their opening: another engine may start at the same time.
  const spares = findSpares(folder);
  if (spares.length < NAMES.length) return null;
  const paths = NAMES.map((name) => join(folder, name));
  for (const [index, path] of paths.entries()) renameSync(join(folder, spares[index] ?? ""), path);
  if (uid !== null) for (const path of paths) chownSync(path, uid, uid);
  const [stdout, stderr] = paths.map((path) => openReader(path));
  const [out, err] = paths.map((path) => openSync(path, constants.O_RDWR));
  if (!stdout || !stderr || out === undefined || err === undefined) throw new Error("The engine's pipes are no pipes");
  return {
    stdout,
    stderr,
    descriptors: [out, err],
    started: () => {
      closeSync(out);
      closeSync(err);
    },
  };
}

/** Makes the spares before an engine needs them. Never rejects. */
export async function preparePipes(folder: string): Promise<void> {
  await makeSpares(folder).catch(() => undefined);
}

function findSpares(folder: string): string[] {
  const there = new Set(readdirSync(folder));
  return SPARES.filter((name) => there.has(name));
}

async function makeSpares(folder: string): Promise<void> {
  const there = findSpares(folder);
  const missing = SPARES.filter((name) => !there.includes(name)).map((name) => join(folder, name));
  // Without the command there are no spares afterwards.
  await run("mkfifo", ["-m", "600", ...missing]).catch(() => undefined);
}

/** Discards the output of an engine that outlived its runner: without a reader its writes would block. */
export function drainPipes(folder: string): Disposable {
  const readers = NAMES.map((name) => openReader(join(folder, name)));
  for (const reader of readers) reader?.on("error", () => undefined).resume();
  return {
    [Symbol.dispose]() {
      for (const reader of readers) reader?.destroy();
    },
  };
}

/** Opens a pipe to read; `null` if there is none. */
function openReader(path: string): Socket | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
  if (fstatSync(fd).isFIFO()) return new Socket({ fd, readable: true, writable: false });
  closeSync(fd);
  return null;
}

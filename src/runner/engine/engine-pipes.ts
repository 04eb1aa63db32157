import { execFile } from "node:child_process";
import { chownSync, closeSync, constants, fstatSync, openSync, readdirSync, renameSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

const run = promisify(execFile);
const NAMES = ["stdout", "stderr"] as const;
/** As many as the engines of a plan need. One `mkfifo` makes all of them: each costs some ms of a job. */
const SPARES = Array.from({ length: 8 }, (_, index) => `pipe-${index}`);

/** Where an engine writes to, and where that is read. */
export interface EnginePipes {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** For the engine; to be closed by `started`. */
  readonly descriptors: readonly [number, number];
  /** The engine has them, or there will be none. */
  started(): void;
}

/**
 * Pipes that the engine holds open at both ends, by names in the job's folder. Of an ordinary pipe the other end is gone
 * when the runner is killed, and the engine is ended by SIGPIPE with the next line that it writes, before it could save
 * its state (measured: exit 141 and no errored.tfstate). With these it goes on; the next runner reads what it writes
 * (`drainPipes`) while it ends it. null where the machine has no `mkfifo`.
 */
export async function openPipes(folder: string, uid: number | null): Promise<EnginePipes | null> {
  if (findSpares(folder).length < NAMES.length) await makeSpares(folder);
  // From here to their opening in one go: another engine may be started at the same time.
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

/** Has the spares made before an engine needs them. Never rejects. */
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
  // Where there is no such command there are no spares afterwards.
  await run("mkfifo", ["-m", "600", ...missing]).catch(() => undefined);
}

/** Reads and forgets what an engine writes that outlived its runner, so that it does not wait for a reader. */
export function drainPipes(folder: string): Disposable {
  const readers = NAMES.map((name) => openReader(join(folder, name)));
  for (const reader of readers) reader?.on("error", () => undefined).resume();
  return {
    [Symbol.dispose]() {
      for (const reader of readers) reader?.destroy();
    },
  };
}

/** null where there is none. */
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

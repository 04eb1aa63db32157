/** Starts git for the server: without a shell, without terminal input, and with a guaranteed end. */
import { spawn } from "node:child_process";
import type { Readable } from "node:stream";

export interface GitCall {
  args: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  /** Ends git and all its child processes at once. */
  signal: AbortSignal;
  /** The standard input of git; absent if empty. */
  input?: string | Readable;
}

/** Git failed. The message is its standard error, which may contain anything. */
export class GitFailed extends Error {
  override readonly name = "GitFailed";
}

const STDERR_CHARACTERS = 64 * 1024;

/** Runs git and returns its output, of at most `maxBytes`. Throws GitFailed. */
export async function readGit(call: GitCall, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of streamGit(call)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new GitFailed(`git wrote more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Streams the output of git; ending the iteration ends git. Throws GitFailed, or the reason of the signal. */
export async function* streamGit({ args, cwd, env, signal, input }: GitCall): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  // Its own session: a group that can be ended, and no terminal at which ssh could prompt.
  const child = spawn("git", args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const kill = (): void => endGroup(child.pid);
  signal.addEventListener("abort", kill, { once: true });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARACTERS);
  });
  child.stdin.on("error", () => undefined);
  if (typeof input === "object") input.pipe(child.stdin);
  else child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    // Child processes of git could keep the pipes open.
    child.once("exit", kill);
    child.once("close", resolve);
  });
  ended.catch(() => undefined);
  try {
    for await (const piece of child.stdout) if (Buffer.isBuffer(piece)) yield piece;
    const code = await ended;
    signal.throwIfAborted();
    if (code !== 0) throw new GitFailed(stderr.trim() || `git ended with ${code ?? "a signal"}`);
  } finally {
    signal.removeEventListener("abort", kill);
    kill();
    await ended.catch(() => undefined);
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process has ended already.
  }
}

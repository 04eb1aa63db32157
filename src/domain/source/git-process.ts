/** The only place of the server where git is started: no shell, no input from a terminal, an end in any case. */
import { spawn } from "node:child_process";

export interface GitCall {
  args: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  /** Ends git, and everything that it started, at once. */
  signal: AbortSignal;
  /** What git reads; absent: nothing. */
  input?: string;
}

/** Git ended with an error; the message is what it said, and may hold anything. */
export class GitFailed extends Error {
  override readonly name = "GitFailed";
}

const STDERR_CHARACTERS = 64 * 1024;

/** Runs git and gives its whole output, of at most so many bytes. Throws GitFailed. */
export async function readGit(call: GitCall, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of streamGit(call)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new GitFailed(`git said more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The output of git as it comes; whoever stops reading ends it. Throws GitFailed, or the reason of the signal. */
export async function* streamGit({ args, cwd, env, signal, input }: GitCall): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  // A session of its own: a group to be ended, and no terminal that ssh could ask.
  const child = spawn("git", args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const kill = (): void => endGroup(child.pid);
  signal.addEventListener("abort", kill, { once: true });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-STDERR_CHARACTERS);
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    // What git left behind would keep the pipes open.
    child.once("exit", kill);
    child.once("close", resolve);
  });
  ended.catch(() => undefined);
  try {
    for await (const piece of child.stdout) if (Buffer.isBuffer(piece)) yield piece;
    const code = await ended;
    signal.throwIfAborted();
    if (code !== 0) throw new GitFailed(said.trim() || `git ended with ${code ?? "a signal"}`);
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
    // It has ended already.
  }
}

import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../src/main.mjs", import.meta.url));

/** `npm run runner` for real. */
export interface RunnerProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Everything that it wrote to standard output and error so far. */
  output(): string;
  /** Fulfilled when it has written this. */
  says(text: string): Promise<void>;
  /** Fulfilled with the exit code, null after a signal. */
  readonly exited: Promise<number | null>;
}

/** Starts a runner with these arguments; `env` is its environment, apart from what every process needs. */
export function startRunnerProcess(args: string[], env: Record<string, string> = {}): RunnerProcess {
  const child = spawn(process.execPath, [MAIN, "runner", ...args], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", TMPDIR: tmpdir(), ...env },
  });
  let text = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (piece: Buffer) => {
      text += piece.toString();
      for (const listener of listeners) listener();
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  return {
    child,
    pid: child.pid ?? 0,
    output: () => text,
    exited,
    says: (wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!text.includes(wanted)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        void exited.then((code) => reject(new Error(`The runner ended with ${code}:\n${text}`)));
        look();
      }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await exited;
    },
  };
}

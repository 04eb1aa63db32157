import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CTRL_C = "\x03";

/** A command in a pseudo-terminal, as a person starts it in the folder of the repository. */
export interface Terminal extends AsyncDisposable {
  /** Everything that was shown so far. */
  output(): string;
  /** Fulfilled when this was shown; rejected when the command ends without it. */
  shows(text: string | RegExp): Promise<void>;
  /** Presses Ctrl-C once: the kernel signals every process of the foreground group. */
  pressCtrlC(): void;
  /** Hangs up, as a window that is closed does. */
  close(): void;
  /** Fulfilled with the exit code. */
  readonly exited: Promise<number>;
}

/** Starts a command line of the shell with this environment, apart from PATH. */
export function openTerminal(command: string, env: Record<string, string>): Terminal {
  const terminal = spawn("/bin/sh", ["-c", command], {
    cwd: ROOT,
    // One line of output is one line here.
    cols: 2000,
    env: { PATH: process.env["PATH"] ?? "", TERM: "dumb", ...env },
  });
  let text = "";
  let code: number | null = null;
  const listeners = new Set<() => void>();
  terminal.onData((piece) => {
    text += piece;
    for (const listener of listeners) listener();
  });
  const exited = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode }) => {
      code = exitCode;
      resolve(exitCode);
    });
  });
  const matches = (wanted: string | RegExp): boolean =>
    typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
  return {
    output: () => text,
    shows: (wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!matches(wanted)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        void exited.then(() => reject(new Error(`The command ended with ${code}:\n${text}`)));
        look();
      }),
    pressCtrlC: () => terminal.write(CTRL_C),
    close: () => terminal.kill("SIGHUP"),
    exited,
    async [Symbol.asyncDispose]() {
      if (code === null) terminal.kill("SIGKILL");
      await exited;
    },
  };
}

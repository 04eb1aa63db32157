import { styleText } from "node:util";

import { printable, type TerminalOutput, wrap } from "./terminal.ts";

/** The tone of a line, which decides its colour alone. */
export type Tone = "plain" | "strong" | "good" | "bad" | "quiet" | "caution";

/**
 * Shows a run live: status on the left, log on the right, in one growing text. On a terminal the last line shows the
 * current status. The text is only appended to, so it works in a pipe, and scrolling back shows everything.
 */
export interface LiveView extends Disposable {
  /** Prints one or more lines from the left edge. */
  print(text: string, tone?: Tone): void;
  /** Prints indented lines that belong together: a plan, outputs, evidence. */
  block(text: string, tone?: Tone): void;
  /** Prints a new status; `detail` is the reason why the run waits, or a comment. */
  status(status: string, detail?: string): void;
  /** Prints one line of the run's log. */
  log(phase: string, text: string): void;
  /** Holds all output back while a question is open on the terminal. */
  hold(): void;
  /** Prints what was held back. */
  release(): void;
  /** Removes the last line until the next status. */
  rest(): void;
}

export interface LiveViewOptions {
  readonly output: TerminalOutput;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** As wide as the longest status. */
const statusWidth = 23;
const timeWidth = 7;
const sideBySideFrom = 100;
const frameEveryMs = 120;
const frames = ["|", "/", "-", "\\"];

const colours = {
  plain: "reset",
  strong: "bold",
  good: "green",
  bad: "red",
  quiet: "dim",
  caution: "yellow",
} as const satisfies Record<Tone, string>;

/** Makes a view; disposing it clears the last line and ends its timer. */
export function createLiveView({ output, now }: LiveViewOptions): LiveView {
  const startedAt = now();
  const isTerminal = output.isTTY === true;
  let held: string[] | undefined;
  let active: { status: string; since: number } | undefined;
  let frame = 0;
  let painted = false;

  const elapsed = (): string => `${((now() - startedAt) / 1000).toFixed(1)}s`.padStart(timeWidth);
  const paint = (text: string, tone: Tone): string =>
    tone === "plain" ? text : styleText(colours[tone], text, { stream: output });

  function clearFooter(): void {
    if (painted) output.write("\r\u001b[2K");
    painted = false;
  }

  function write(lines: readonly string[]): void {
    if (held) {
      held.push(...lines);
      return;
    }
    clearFooter();
    output.write(lines.map((line) => `${line.trimEnd()}\n`).join(""));
    drawFooter();
  }

  function drawFooter(): void {
    if (!isTerminal || held || !active) return;
    const seconds = Math.floor((now() - active.since) / 1000);
    const text = `${frames[frame % frames.length]} ${active.status} ${seconds}s`.slice(0, (output.columns ?? 80) - 1);
    output.write(`\r\u001b[2K${paint(text, "quiet")}`);
    painted = true;
  }

  /** Wraps lines under the right column, which a terminal does not do. In a pipe a line stays one line. */
  function fold(text: string, indent: number): string[] {
    const width = isTerminal ? Math.max((output.columns ?? 80) - indent, 20) : Number.POSITIVE_INFINITY;
    return text.split(/\r?\n/u).flatMap((line) => wrap(printable(line), width));
  }

  function columns(left: string, text: string, tone: Tone): string[] {
    const isWide = !isTerminal || (output.columns ?? 80) >= sideBySideFrom;
    if (!isWide) {
      const head = left.trim() === "" ? [] : [paint(left, "strong")];
      const body = text === "" ? [] : fold(text, 2).map((line) => `${paint("│", "quiet")} ${paint(line, tone)}`);
      return [...head, ...body];
    }
    const width = timeWidth + 1 + statusWidth;
    return fold(text, width + 3).map((line, index) => {
      const start = index === 0 ? left.padEnd(width) : " ".repeat(width);
      return `${paint(start, "strong")} ${paint("│", "quiet")} ${paint(line, tone)}`;
    });
  }

  const timer = isTerminal
    ? setInterval(() => {
        frame += 1;
        drawFooter();
      }, frameEveryMs).unref()
    : undefined;

  return {
    print: (text, tone = "plain") => write(text.split("\n").map((line) => paint(printable(line), tone))),
    block: (text, tone = "plain") => write(fold(text, 2).map((line) => `  ${paint(line, tone)}`)),
    status(status, detail = "") {
      active = { status, since: now() };
      write(columns(`${elapsed()} ${status}`, detail, "caution"));
    },
    log: (phase, text) => write(columns("", `${phase.toLowerCase().padEnd(8)} ${text}`, "plain")),
    hold() {
      clearFooter();
      held ??= [];
    },
    release() {
      const lines = held ?? [];
      held = undefined;
      if (lines.length > 0) write(lines);
    },
    rest() {
      active = undefined;
      clearFooter();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      this.rest();
      this.release();
    },
  };
}

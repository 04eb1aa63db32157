import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";

import { describe, expect, test } from "vitest";

import { createLiveView, type LiveView } from "../../src/cli/live-view.ts";

function record(terminal: { columns: number } | undefined, show: (view: LiveView) => void): string {
  const output = new PassThrough();
  const target = terminal ? Object.assign(output, { isTTY: true, columns: terminal.columns }) : output;
  let time = 0;
  const view = createLiveView({ output: target, now: () => (time += 100) });
  show(view);
  view[Symbol.dispose]();
  return String(output.read() ?? "");
}

describe("in a pipe", () => {
  test("status is left and log right, without a colour or a cursor movement", () => {
    const text = record(undefined, (view) => {
      view.status("PLANNING", "waits");
      view.log("PLAN", "terraform_data.a: Plan to create");
    });
    expect(text.split("\n")).toEqual([
      "   0.2s PLANNING                │ waits",
      "                                │ plan     terraform_data.a: Plan to create",
      "",
    ]);
  });

  test("a long line stays one line", () => {
    const text = record(undefined, (view) => view.log("PLAN", "x".repeat(500)));
    expect(text.trimEnd().split("\n")).toHaveLength(1);
  });

  test("what would move the cursor or repaint is taken out", () => {
    const text = record(undefined, (view) => view.log("APPLY", "a\u001b[2Jb\u0007c\u009bd\u202ee\tf"));
    expect(text).toContain("abc");
    expect(text).toMatch(/e {4}f/u);
    for (const control of ["\u001b", "\u0007", "\u009b", "\u202e"]) expect(text).not.toContain(control);
  });
});

describe("on a terminal", () => {
  test("a narrow one has the status above the log, folded to its width", () => {
    const text = record({ columns: 40 }, (view) => {
      view.status("APPLYING");
      view.log("APPLY", "z".repeat(100));
    });
    const lines = text.split(/[\r\n]/u).map((line) => stripVTControlCharacters(line));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
    expect(text.match(/z/gu)).toHaveLength(100);
  });

  test("nothing is written while a question is open, and all of it afterwards", () => {
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 120 });
    const view = createLiveView({ output, now: () => 0 });
    view.hold();
    output.read();
    view.status("APPLYING");
    view.log("APPLY", "kept back");
    expect(output.read()).toBeNull();
    view.release();
    expect(String(output.read())).toContain("kept back");
    view[Symbol.dispose]();
  });
});

import { expect, test } from "vitest";
import { createRandom, inRounds } from "../../bench/measure/rounds.ts";
import { difference, figure, percentile, ratio } from "../../bench/measure/statistics.ts";
import { isSameAnswer } from "../../bench/query/answers.ts";
import { renderDocument } from "../../bench/report/document.ts";
import { formatBound, formatFigure, formatNumber } from "../../bench/report/format.ts";
import { plotSvg } from "../../bench/report/plot.ts";

test("a figure is the median with its spread, a ratio is taken round by round", () => {
  expect(figure([3, 1, 2], "ms")).toEqual({ median: 2, min: 1, max: 3, unit: "ms" });
  expect(figure([4, 1, 2, 3], "").median).toBe(2.5);
  expect(ratio([10, 40], [20, 20])).toEqual({ median: 1.25, min: 0.5, max: 2, unit: "" });
  expect(difference([10, 40], [4, 20], "ms")).toEqual({ median: 13, min: 6, max: 20, unit: "ms" });
  expect(percentile([1, 2, 3, 4], 0.5)).toBe(3);
  expect(percentile([1, 2, 3, 4], 1)).toBe(4);
});

test("every subject is measured once a round, in an order that its seed decides", async () => {
  const order = async (seed: number): Promise<string> => {
    const calls: string[] = [];
    const subjects = ["a", "b", "c"].map((name) => ({ name, measure: async () => calls.push(name) }));
    const found = await inRounds(subjects, { rounds: 8, seed, signal: new AbortController().signal });
    expect([...found.values()].map(({ length }) => length)).toEqual([8, 8, 8]);
    return calls.join("");
  };
  expect(await order(1)).toBe(await order(1));
  expect(await order(1)).not.toBe(await order(2));
  const random = createRandom(7);
  expect(Array.from({ length: 100 }, random).every((value) => value >= 0 && value < 1)).toBe(true);
});

test("answers are the same with other names, cursors and forms of an instant", () => {
  const ours = {
    data: {
      run: { id: "run_1", createdAt: "2026-01-01T00:00:00.000Z", phases: [{ kind: "PLAN" }] },
      c: { endCursor: "x" },
    },
  };
  const theirs = {
    data: {
      runByRowId: {
        rowId: "run_1",
        createdAt: "2026-01-01T00:00:00+00:00",
        phasesByRunId: { nodes: [{ kind: "PLAN" }] },
      },
      c: { endCursor: "y" },
    },
  };
  expect(isSameAnswer(JSON.stringify(ours), JSON.stringify(theirs))).toBe(true);
  theirs.data.runByRowId.phasesByRunId.nodes.push({ kind: "APPLY" });
  expect(isSameAnswer(JSON.stringify(ours), JSON.stringify(theirs))).toBe(false);
});

test("numbers have three meaningful digits", () => {
  expect([12_345.6, 43.21, 1.234, 0.9171, 0.0012, Number.NaN].map(formatNumber)).toEqual([
    "12,346",
    "43.2",
    "1.23",
    "0.917",
    "0.001",
    "–",
  ]);
  expect(formatFigure({ median: 2, min: 1, max: 3, unit: "ms" })).toBe("2.00 ms (1.00–3.00)");
  expect(formatBound({ what: "a", bound: { atMost: 150 }, ratio: figure([1], "ms") })).toBe("at most 150 ms");
  expect(formatBound({ what: "a", bound: { atLeast: 0.9 }, ratio: figure([1], "") })).toBe("at least 0.9");
});

test("the document has a table of all targets and the parts behind it; plots hold nothing that is not text", () => {
  const measured = figure([0.95, 1, 1.1], "");
  const plot = {
    file: "a",
    title: "A < B",
    unit: "per s",
    bars: [{ label: "us & them", figure: measured, ours: true }],
  };
  const text = renderDocument([
    {
      name: "query",
      title: "Queries",
      machine: {
        cores: 2,
        processor: "x",
        memoryGb: 4,
        platform: "linux-x64",
        node: "24",
        postgres: "18",
        date: "2026-01-01",
      },
      shape: { runCount: 1000, workspaceCount: 10, organizationCount: 1, logLineCount: 1 },
      quick: false,
      result: {
        tables: [{ title: "T", columns: ["server", "rate"], rows: [["a|b", measured]] }],
        plots: [plot],
        targets: [
          { what: "met", bound: { atLeast: 0.9 }, ratio: measured },
          { what: "missed", bound: { atMost: 0.5 }, ratio: measured },
        ],
        notes: ["A note."],
      },
    },
  ]);
  expect(text).toContain("1 of 2 reached");
  expect(text).toContain("| met | at least 0.9 | 1.00 (0.950–1.10) | yes |");
  expect(text).toContain("| missed | at most 0.5 | 1.00 (0.950–1.10) | **no** |");
  expect(text).toContain("| a\\|b | 1.00 (0.950–1.10) |");
  expect(text).toContain("![A < B](benchmarks/a.svg)");
  expect(plotSvg(plot)).toContain("us &amp; them");
  expect(plotSvg(plot)).not.toContain("A < B");
});

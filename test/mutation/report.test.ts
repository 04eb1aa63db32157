import { describe, expect, it } from "vitest";
import { describeMutant, hasLineOf, type Mutant, percentOf, scoreOf } from "./mutant.ts";
import { printReport, reportFile } from "./report.ts";

const SOURCE = ["export function isFull(count: number): boolean {", "  return count > 10;", "}", ""].join("\n");

/** A mutation of the text between two places, each a line and a column from 1. */
function mutant(status: Mutant["status"], from: [number, number], to: [number, number], replacement: string): Mutant {
  const [start, end] = [from, to].map(([line, column]) => ({ line, column }));
  if (start === undefined || end === undefined) throw new Error("It has no place.");
  return { fileName: "/project/src/full.ts", mutatorName: "Some", status, location: { start, end }, replacement };
}

const border = (status: Mutant["status"]) => mutant(status, [2, 10], [2, 20], "count >= 10");
const empty = (status: Mutant["status"]) => mutant(status, [1, 48], [3, 2], "{}");
const BORDER = "return ⟦count > 10 → count >= 10⟧;";
const EMPTY = "export function isFull(count: number): boolean ⟦{ → {}⟧";

describe("a mutation", () => {
  it("is named by its line with what was there and what is there now", () => {
    expect(describeMutant(border("Killed"), SOURCE)).toBe(BORDER);
    expect(describeMutant(empty("Killed"), SOURCE)).toBe(EMPTY);
  });

  it("has a long replacement shortened to one line", () => {
    const long = mutant("Killed", [2, 10], [2, 20], `a\n  ${"b".repeat(100)}`);
    expect(describeMutant(long, SOURCE)).toBe(`return ⟦count > 10 → a ${"b".repeat(78)}…⟧;`);
  });
});

describe("the line of a mutation", () => {
  it.each([BORDER, EMPTY])("is found: %s", (change) => expect(hasLineOf(change, SOURCE)).toBe(true));

  it.each([
    "return ⟦count > 11 → count >= 10⟧;",
    "return ⟦count > 10 → count >= 10⟧ || true;",
    "throw ⟦count > 10 → count >= 10⟧;",
  ])("is not found once it has changed: %s", (change) => expect(hasLineOf(change, SOURCE)).toBe(false));
});

describe("a score", () => {
  it("counts what was noticed of all that could be", () => {
    const mutants = (["Killed", "Killed", "Timeout", "Survived", "NoCoverage"] as const).map(border);
    const score = scoreOf([...mutants, border("RuntimeError"), border("CompileError"), border("Ignored")]);
    expect(score).toEqual({ killed: 2, timedOut: 1, survived: 1, unreached: 1 });
    expect(percentOf(score)).toBe(60);
    expect(percentOf(scoreOf([border("RuntimeError")]))).toBe(100);
  });
});

describe("a report of a file", () => {
  const mutants = [border("Survived"), empty("NoCoverage"), mutant("Killed", [2, 10], [2, 20], "false")];
  const rule = { mutator: "Some", change: String.raw`^export function \w+\(.*⟦\{ → \{\}⟧$`, reason: "one call" };

  it("has its survivors in the order of their lines, each with why it is accepted", () => {
    const accepted = { everywhere: [rule], files: { "src/full.ts": { [BORDER]: "nobody counts to ten" } } };
    const report = reportFile("src/full.ts", SOURCE, mutants, accepted);
    expect(report.survivors).toEqual([
      { path: "src/full.ts", line: 1, mutator: "Some", change: EMPTY, unreached: true, reason: "one call" },
      {
        path: "src/full.ts",
        line: 2,
        mutator: "Some",
        change: BORDER,
        unreached: false,
        reason: "nobody counts to ten",
      },
    ]);
    expect(report.stale).toEqual([]);
    expect(reportFile("src/other.ts", SOURCE, mutants, accepted).survivors.map(({ reason }) => reason)).toEqual([
      "one call",
      null,
    ]);
  });

  it("does not take a rule of another mutator, and names what is accepted and was noticed", () => {
    const files = {
      "src/full.ts": { "return ⟦count > 10 → false⟧;": "it was so", "return ⟦count > 9 → false⟧;": "it changed" },
    };
    const report = reportFile("src/full.ts", SOURCE, mutants, { everywhere: [{ ...rule, mutator: "Other" }], files });
    expect(report.survivors.map(({ reason }) => reason)).toEqual([null, null]);
    expect(report.stale).toEqual(["return ⟦count > 10 → false⟧;", "return ⟦count > 9 → false⟧;"]);
  });

  it("does not name what is accepted of lines that were left out", () => {
    const files = { "src/full.ts": { [BORDER]: "kept" } };
    expect(reportFile("src/full.ts", SOURCE, [], { everywhere: [], files }).stale).toEqual([]);
  });

  it("takes a rule of what no test reaches for nothing else", () => {
    const everywhere = [{ mutator: "Some", change: "⟦", unreached: true, reason: "never asked" }];
    const report = reportFile("src/full.ts", SOURCE, mutants, { everywhere, files: {} });
    expect(report.survivors.map(({ reason }) => reason)).toEqual(["never asked", null]);
  });

  it("names what only a limit of time noticed", () => {
    const given = (status: Mutant["status"], statusReason: string): Mutant => ({ ...border(status), statusReason });
    const noticed = [
      given("Killed", "Test timed out in 20000ms.\nIt waits."),
      given("Killed", "Timed out in waitUntil!"),
      given("Timeout", "an endless loop"),
      given("Killed", "expected 1 to be 2"),
      border("Killed"),
    ];
    const report = reportFile("src/full.ts", SOURCE, noticed, { everywhere: [], files: {} });
    const reasons = ["Test timed out in 20000ms.", "Timed out in waitUntil!", "an endless loop"];
    expect(report.byTime).toEqual(reasons.map((reason) => ({ line: 2, change: BORDER, reason })));
    expect(printReport("counters", [report])).toContain(`- src/full.ts:2: \`${BORDER}\`: Test timed out in 20000ms.\n`);
  });

  it("is printed with its score, and with what is not accepted apart", () => {
    const accepted = { everywhere: [rule], files: {} };
    const page = printReport("counters", [reportFile("src/full.ts", SOURCE, mutants, accepted)]);
    expect(page).toContain("| src/full.ts | 33.3 | 1 | 0 | 1 | 1 |");
    const [open = "", rest = ""] = page.split("## Accepted survivors");
    expect(open).toContain(`- src/full.ts:2 Some: \`${BORDER}\`\n`);
    expect(rest).toContain(`- src/full.ts:1 Some, unreached: \`${EMPTY}\`: one call\n`);
  });
});

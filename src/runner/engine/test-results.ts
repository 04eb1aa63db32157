/** Collects the results of `terraform test -json` and `tofu test -json`. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { TestReport, TestResult, TestStatus } from "../../model/run/test-report.ts";
import { readableLines, utf8Prefix } from "../log/log-text.ts";
import type { Masker } from "../mask/masker.ts";
import type { Diagnostic, EngineEvent } from "./engine-event.ts";

const STATUSES: Record<string, TestStatus> = {
  pass: "PASSED",
  fail: "FAILED",
  error: "ERRORED",
  skip: "SKIPPED",
};
/** Those that a limit drops last. */
const RANK: Record<TestStatus, number> = { ERRORED: 0, FAILED: 0, SKIPPED: 1, PASSED: 2 };

export class TestResults {
  readonly #results = new Map<string, TestResult>();
  readonly #left: string[] = [];
  #hasSummary = false;

  /** Takes one event of the engine. */
  note(event: EngineEvent): void {
    const { test_run: run, test_cleanup: cleanup, test_summary: summary, diagnostic } = event;
    if (run !== undefined) this.#take(run.path, run.run, run.status);
    if (summary !== undefined) this.#hasSummary = true;
    for (const { instance } of cleanup?.failed_resources ?? []) this.#left.push(instance);
    const [file, name] = [event["@testfile"], event["@testrun"]];
    if (diagnostic?.severity === "error" && file !== undefined && name !== undefined) {
      this.#results.get(keyOf(file, name))?.problems.push(problemOf(diagnostic));
    }
  }

  /** A run is reported as it begins, and once more with its result. */
  #take(file: string, run: string, status: string | undefined): void {
    const known = status === undefined ? undefined : STATUSES[status];
    if (known === undefined) return;
    const before = this.#results.get(keyOf(file, run));
    this.#results.set(keyOf(file, run), { file, run, status: known, problems: before?.problems ?? [] });
  }

  /** Returns the report, masked and bounded. `succeeded`: the engine ended with exit code 0. */
  report(succeeded: boolean, masker: Masker): TestReport {
    const all = [...this.#results.values()];
    const count = (status: TestStatus): number => all.filter((result) => result.status === status).length;
    const mask = (text: string, bytes: number): string => {
      return utf8Prefix(masker.mask(readableLines(text).join("\n").trim()), bytes);
    };
    const shown = all.map(({ file, run, status, problems }): TestResult => {
      const texts = problems.slice(0, LIMITS.testProblems).map((problem) => mask(problem, LIMITS.testProblemBytes));
      return { file: mask(file, LIMITS.testNameBytes), run: mask(run, LIMITS.testNameBytes), status, problems: texts };
    });
    const left = this.#left.slice(0, LIMITS.testLeftResources);
    return {
      status: this.#statusOf(succeeded, count),
      passedCount: count("PASSED"),
      failedCount: count("FAILED"),
      erroredCount: count("ERRORED"),
      skippedCount: count("SKIPPED"),
      results: fitting(shown),
      leftResources: left.map((address) => utf8Prefix(masker.maskAddress(address), LIMITS.testNameBytes)),
    };
  }

  #statusOf(succeeded: boolean, count: (status: TestStatus) => number): TestStatus {
    if (succeeded && this.#hasSummary) return count("PASSED") > 0 ? "PASSED" : "SKIPPED";
    return count("FAILED") > 0 && count("ERRORED") === 0 ? "FAILED" : "ERRORED";
  }
}

function keyOf(file: string, run: string): string {
  return JSON.stringify([file, run]);
}

function problemOf({ summary, detail }: Diagnostic): string {
  return detail.trim() === "" ? summary : `${summary}: ${detail.trim()}`;
}

/** Drops results beyond the limits: first those that passed. What is left keeps the order of the engine. */
function fitting(results: readonly TestResult[]): TestResult[] {
  const ranked = [...results.entries()].sort(([a, one], [b, other]) => RANK[one.status] - RANK[other.status] || a - b);
  const kept = new Set<number>();
  let bytesLeft: number = LIMITS.testReportBytes;
  for (const [index, { file, run, problems }] of ranked.slice(0, LIMITS.testResults)) {
    bytesLeft -= [file, run, ...problems].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (bytesLeft < 0) break;
    kept.add(index);
  }
  return results.filter((_result, index) => kept.has(index));
}

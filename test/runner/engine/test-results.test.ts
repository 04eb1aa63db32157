/** The events of `terraform test -json`, as Terraform 1.11 and OpenTofu write them. */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { parseEngineEvent } from "../../../src/runner/engine/engine-event.ts";
import { TestResults } from "../../../src/runner/engine/test-results.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";

const event = (type: string, more: object) => ({ "@level": "info", "@message": type, type, ...more });
const run = (path: string, name: string, status: string) =>
  event("test_run", { test_run: { path, run: name, progress: "complete", status } });
const error = (path: string, name: string, summary: string, detail = "") =>
  event("diagnostic", { "@testfile": path, "@testrun": name, diagnostic: { severity: "error", summary, detail } });
const summary = event("test_summary", {
  test_summary: { status: "pass", passed: 1, failed: 0, errored: 0, skipped: 0 },
});

function reportOf(events: object[], succeeded: boolean, masker = new Masker(6)) {
  const results = new TestResults();
  for (const each of events) {
    const parsed = parseEngineEvent(JSON.stringify(each));
    if (parsed === undefined) throw new Error("It is no event.");
    results.note(parsed);
  }
  return results.report(succeeded, masker);
}

describe("tests", () => {
  it("that pass", () => {
    const starting = event("test_run", {
      test_run: { path: "a.tftest.hcl", run: "a", progress: "starting", elapsed: 0 },
    });
    expect(reportOf([starting, run("a.tftest.hcl", "a", "pass"), summary], true)).toEqual({
      status: "PASSED",
      passedCount: 1,
      failedCount: 0,
      erroredCount: 0,
      skippedCount: 0,
      results: [{ file: "a.tftest.hcl", run: "a", status: "PASSED", problems: [] }],
      leftResources: [],
    });
  });

  it("that fail have the messages of their assertions, and those after them are skipped", () => {
    const file = "tests/a.tftest.hcl";
    const events = [
      run(file, "a", "fail"),
      error(file, "a", "Test assertion failed", "v is x"),
      run(file, "b", "skip"),
      summary,
    ];
    const report = reportOf(events, false);
    expect(report).toMatchObject({ status: "FAILED", failedCount: 1, skippedCount: 1 });
    expect(report.results).toEqual([
      { file, run: "a", status: "FAILED", problems: ["Test assertion failed: v is x"] },
      { file, run: "b", status: "SKIPPED", problems: [] },
    ]);
  });

  it("that could not be evaluated, or whose files could not be read, are errors", () => {
    expect(reportOf([run("a", "a", "error"), run("a", "b", "fail"), summary], false).status).toBe("ERRORED");
    expect(reportOf([event("diagnostic", { diagnostic: { severity: "error", summary: "x" } })], false)).toMatchObject({
      status: "ERRORED",
      results: [],
    });
    // Without a summary the engine did not come to its end.
    expect(reportOf([run("a", "a", "pass")], true).status).toBe("ERRORED");
  });

  it("list what they created and could not destroy", () => {
    const left = event("test_cleanup", { test_cleanup: { failed_resources: [{ instance: "aws_instance.a" }] } });
    expect(reportOf([run("a", "a", "pass"), left, summary], false).leftResources).toEqual(["aws_instance.a"]);
  });

  it("show no secret", () => {
    const masker = new Masker(6);
    masker.add(["canary-value"]);
    const events = [run("canary-value.tftest.hcl", "a", "fail"), error("canary-value.tftest.hcl", "a", "canary-value")];
    expect(JSON.stringify(reportOf(events, false, masker))).not.toContain("canary");
  });

  it("are bounded: those that passed are dropped first, and all are counted", () => {
    const names = Array.from({ length: LIMITS.testResults + 50 }, (_, n) => `t${n}`);
    const report = reportOf([...names.map((name) => run("a", name, "pass")), run("a", "bad", "fail"), summary], false);
    expect(report.results).toHaveLength(LIMITS.testResults);
    expect(report.results.at(-1)).toMatchObject({ run: "bad", status: "FAILED" });
    expect(report.passedCount).toBe(LIMITS.testResults + 50);

    const long = Array.from({ length: 400 }, () => error("a", "t0", "x".repeat(5000)));
    const [first] = reportOf([run("a", "t0", "fail"), ...long], false).results;
    expect(first?.problems).toHaveLength(LIMITS.testProblems);
    expect(first?.problems[0]).toHaveLength(LIMITS.testProblemBytes);
  });
});

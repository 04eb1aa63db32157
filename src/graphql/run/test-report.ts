import type { TestReport, TestResult, TestStatus } from "../../model/run/test-report.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { loaderOf } from "../kit/loader.ts";
import { RunRef } from "../kit/refs.ts";

const reportLoader = loaderOf((domain, caller, ids) => domain.testReports(caller, ids));

const StatusEnum = describedEnum<TestStatus>("TestStatus", "The result of tests.", {
  PASSED: "All assertions hold.",
  FAILED: "An assertion does not hold.",
  ERRORED: "A test could not be run to its end.",
  SKIPPED: "Nothing was tested: an earlier test of the file ended with an error, or there are no tests.",
});

const ResultRef = builder.objectRef<TestResult>("TestResult").implement({
  description: "The result of one `run` block of a test file.",
  fields: (t) => ({
    file: t.exposeString("file", { description: "The test file, from the folder in which the engine runs." }),
    run: t.exposeString("run", { description: "The name of the `run` block." }),
    status: t.expose("status", { type: StatusEnum, description: "The result." }),
    problems: t.exposeStringList("problems", {
      description: `Why it did not pass, masked; at most ${LIMITS.testProblems}.`,
    }),
  }),
});

const ReportRef = builder.objectRef<TestReport>("TestReport").implement({
  description: "The tests of a configuration, as the engine ran them.",
  fields: (t) => ({
    status: t.expose("status", { type: StatusEnum, description: "The result of all." }),
    passedCount: t.exposeInt("passedCount", { description: "The number of those that passed." }),
    failedCount: t.exposeInt("failedCount", {
      description: "The number of those with an assertion that does not hold.",
    }),
    erroredCount: t.exposeInt("erroredCount", {
      description: "The number of those that could not be run to their end.",
    }),
    skippedCount: t.exposeInt("skippedCount", { description: "The number of those that were skipped." }),
    results: t.expose("results", {
      type: [ResultRef],
      description: `The results in the order of the engine. At most ${LIMITS.testResults}: those that passed are left out first.`,
    }),
    leftResources: t.exposeStringList("leftResources", {
      description: "Addresses of resources that tests created and could not destroy. No state has them.",
    }),
  }),
});

builder.objectField(RunRef, "tests", (t) =>
  t.field({
    type: ReportRef,
    nullable: true,
    description: "The tests of its configuration before its newest plan. `null` if none were run.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(reportLoader, id),
  }),
);

import { expect, test } from "vitest";
import { RUNNER_LIMITS } from "../../../src/runner/kit/runner-limits.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { failureReport } from "../../../src/runner/session/failure-report.ts";

const context = {
  masker: new Masker(RUNNER_LIMITS.maskLength),
  limits: RUNNER_LIMITS,
  log: { recent: [], headings: [] },
};
const facts = { code: "INIT_FAILED", stage: "INIT", summary: "The engine could not initialise." } as const;

test("the summary is what is wrong with the configuration, not that something is", () => {
  const preamble = "Error: Terraform encountered problems during initialisation, including problems\nwith it.\n";
  const text = `${preamble}\nError: Invalid block definition\n\n  on main.tf line 7:\n\nError: Another one\n`;
  expect(failureReport(context, { ...facts, text }).summary).toBe("Invalid block definition");
  expect(failureReport(context, { ...facts, text: preamble }).summary).toContain("encountered problems");
  expect(failureReport(context, { ...facts, text: "nothing" }).summary).toBe(facts.summary);
});

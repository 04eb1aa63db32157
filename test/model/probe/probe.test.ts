import { expect, it } from "vitest";
import { answerVariables } from "../../../src/model/probe/prober.ts";
import { isForHealth, isForVerification, joinProbe, splitProbe } from "../../../src/model/probe/probe.ts";
import { failedSample, isInconclusive, passedSample, PROBE_FAILURES } from "../../../src/model/probe/probe-sample.ts";
import { probeOf } from "../../support/probe-targets.ts";

it("a probe is for applies, for health, or for both", () => {
  const uses = ["VERIFY", "HEALTH", "BOTH"] as const;
  expect(uses.map((use) => [isForVerification({ use }), isForHealth({ use })])).toEqual([
    [true, false],
    [false, true],
    [true, true],
  ]);
});

it("its secrets are kept apart: readers see the names of headers, and whether there is a body", () => {
  const headers = [{ name: "x-key", value: "secret" }];
  const probe = probeOf({ headers, body: "secret", variables: { a: "secret" } });
  const { settings, secrets } = splitProbe(probe);
  expect(JSON.stringify(settings)).not.toContain("secret");
  expect(settings).toMatchObject({ name: "web", headerNames: ["x-key"], hasBody: true });
  expect(secrets).toEqual({ headers, body: "secret", variables: { a: "secret" } });
  expect(joinProbe(settings, secrets)).toEqual(probe);
  expect(splitProbe(probeOf()).settings).toMatchObject({ headerNames: [], hasBody: false });
});

it("an expression has data of GRAPHQL alone", () => {
  expect(answerVariables("HTTP")).toEqual(["status", "headers", "json", "latencyMs"]);
  expect(answerVariables("GRAPHQL")).toEqual(["status", "headers", "json", "latencyMs", "data"]);
});

it("nothing was found out where the target is not known or nothing was tried", () => {
  expect(PROBE_FAILURES.filter(isInconclusive)).toEqual(["UNRESOLVED", "NO_PROBER"]);
  expect(isInconclusive(null)).toBe(false);
  expect(passedSample(3)).toEqual({ ok: true, latencyMs: 3, failure: null, reason: null });
  expect(failedSample("TLS", "No.")).toEqual({ ok: false, latencyMs: null, failure: "TLS", reason: "No." });
  expect(failedSample("TLS", "No.", 7).latencyMs).toBe(7);
});

import { expect, it } from "vitest";
import { CONTEXT_KEYS, contextOfInput, neutralContext } from "../../../src/model/policy/neutral-context.ts";

const AT = "2026-03-01T12:00:00.000Z";

it("is a context of no run, at the given time", () => {
  expect(neutralContext("PRE_APPLY", AT, {})).toEqual({
    holdpoint: { version: "1", at: AT, point: "PRE_APPLY", truncated: [] },
    run: {
      id: "run_test",
      number: 1,
      kind: "DEPLOY",
      trigger: "MANUAL",
      message: null,
      planVersion: 1,
      commit: null,
      revision: null,
      branch: null,
      targets: [],
      replace: [],
      refreshOnly: false,
      command: null,
      metadata: {},
      cause: null,
      variables: {},
      createdAt: AT,
    },
    workspace: { id: "ws_test", name: "test", description: null, labels: {}, autoApply: "NEVER", createdAt: AT },
    organization: { id: "org_test", name: "test" },
    actor: { id: "usr_test", name: "test", kind: "USER", teams: [] },
    approvals: [],
    cost: null,
    previousRun: null,
  });
});

it("has what was given in place of neutral values, key by key", () => {
  const context = neutralContext("PLAN", AT, {
    run: { kind: "DESTROY", createdAt: "then" },
    workspace: { labels: { env: "prod" } },
    organization: { name: "acme" },
    actor: { teams: ["ops"] },
    approvals: [{ by: "ann" }],
    cost: { monthlyDelta: "1" },
    previousRun: { id: "run_0" },
  });
  expect(context).toMatchObject({
    run: { id: "run_test", kind: "DESTROY", createdAt: "then" },
    workspace: { name: "test", labels: { env: "prod" }, createdAt: AT },
    organization: { id: "org_test", name: "acme" },
    actor: { id: "usr_test", teams: ["ops"] },
    approvals: [{ by: "ann" }],
    cost: { monthlyDelta: "1" },
    previousRun: { id: "run_0" },
  });
  expect(neutralContext("PLAN", AT, { run: "text", approvals: "text" })).toEqual(neutralContext("PLAN", AT, {}));
  expect(neutralContext("PLAN", AT, contextOfInput(context))).toEqual(context);
  expect(Object.keys(contextOfInput(context)).toSorted()).toEqual(CONTEXT_KEYS.toSorted());
});

it("is of a run that is not stored yet before one is created, even if another is given", () => {
  const given = { run: { id: "run_1", number: 7, planVersion: 2, kind: "DESTROY" } };
  expect(neutralContext("RUN_CREATE", AT, given).run).toMatchObject({
    id: null,
    number: null,
    planVersion: 0,
    kind: "DESTROY",
  });
  expect(neutralContext("PLAN", AT, given).run).toMatchObject(given.run);
});

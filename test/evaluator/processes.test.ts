import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEvaluator } from "../../src/evaluator/evaluator.ts";
import type { Evaluator } from "../../src/model/policy/evaluator.ts";
import { endless, evaluatorPids, INPUT, isPublic, readOrEmpty } from "../support/evaluator-processes.ts";
import { waitFor } from "../support/eventually.ts";
import { celRule, celSource, WIDE_LIMITS } from "../support/policy-input.ts";

// What else a process may meet takes many of them: test/recovery/evaluator-processes.test.ts.

const MIB = 1024 * 1024;

let evaluator: Evaluator;
/** Processes of other evaluators, which the servers of this process share. */
let others: number[];
beforeAll(() => {
  others = evaluatorPids();
  evaluator = createEvaluator();
});
afterAll(() => evaluator.close());

const ownPids = (): number[] => evaluatorPids().filter((pid) => !others.includes(pid));

it("judges the policies of a point", async () => {
  const other = celRule("true", { name: "other", point: "PRE_APPLY" });
  const judgement = await evaluator.judge(
    celSource(isPublic, other, celRule("false", { name: "passing" })),
    INPUT,
    WIDE_LIMITS,
  );
  expect(judgement).toMatchObject({
    findings: [
      {
        policy: "public",
        rule: "public",
        level: "MANDATORY",
        stopsAutoApply: true,
        message: "aws_s3_bucket.a is public",
        addresses: ["aws_s3_bucket.a"],
        addressesInferred: false,
        remediation: null,
        approvers: null,
        trace: [
          { expression: 'resource.after.acl == "public-read"', value: "true" },
          { expression: "resource.after.acl", value: '"public-read"' },
        ],
      },
    ],
    errors: [],
    passed: 1,
    dropped: 0,
  });
});

it("starts no process without policies of the point", async () => {
  // One without processes: another would use those that it has.
  const fresh = createEvaluator();
  const before = ownPids();
  const judgement = await fresh.judge(celSource({ ...isPublic, point: "PRE_APPLY" }), INPUT, WIDE_LIMITS);
  expect(judgement).toEqual({ findings: [], errors: [], passed: 0, dropped: 0, cpuMs: 0 });
  expect(ownPids()).toEqual(before);
  await fresh.close();
});

it("checks a source", async () => {
  expect(await evaluator.check(celSource(isPublic))).toEqual({
    policies: [{ name: "public", point: "PLAN", level: "MANDATORY", stopsAutoApply: true }],
    problems: [],
  });
  expect((await evaluator.check(celSource(celRule("nope(")))).problems).toMatchObject([{ file: "rule.when", line: 1 }]);
});

describe("a policy beyond its limits", () => {
  const limits = { cpuMsPerPolicy: 300, cpuMs: 10_000, memoryBytes: 512 * MIB };

  it("is an error that names policy, limit and use; the others are judged", async () => {
    const last = { ...isPublic, name: "last" };
    const judgement = await evaluator.judge(celSource(isPublic, endless, last), INPUT, limits);
    expect(judgement.findings.map(({ policy }) => policy)).toEqual(["public", "last"]);
    expect(judgement.errors).toMatchObject([{ policy: "endless", kind: "TIME" }]);
    expect(judgement.errors[0]?.message).toMatch(
      /^Policy "endless" (?:used \d+ ms of CPU time; the limit is 300 ms|took \d+ ms; the limit is 1800 ms, 6 times that of CPU time)\.$/,
    );
    expect(judgement.cpuMs).toBeGreaterThan(0);
  });

  it("leaves nothing for others once all together are beyond theirs", async () => {
    const few = { ...limits, cpuMs: 500 };
    const sources = celSource(endless, { ...endless, name: "endless 2" }, { ...endless, name: "endless 3" }, isPublic);
    const judgement = await evaluator.judge(sources, INPUT, few);
    expect(judgement.errors.map(({ policy, kind }) => [policy, kind])).toEqual([
      ["endless", "TIME"],
      ["endless 2", "TIME"],
      ["endless 3", "TIME"],
      ["public", "TIME"],
    ]);
    expect(judgement.errors[3]?.message).toMatch(
      /^Policy "public": It was not judged\. All policies together (?:used|took) \d+ ms/,
    );
  });
});

it("ends the process of an evaluation that is aborted, and judges on", async () => {
  const stop = new AbortController();
  const endlessly = evaluator.judge(celSource(endless), INPUT, WIDE_LIMITS, stop);
  const waiting = [1, 2].map(() => evaluator.judge(celSource(endless), INPUT, WIDE_LIMITS, stop));
  const pids = await waitFor(() => {
    const found = ownPids();
    expect(found).toHaveLength(2);
    return found;
  });
  stop.abort(new Error("canceled"));
  for (const call of [endlessly, ...waiting]) await expect(call).rejects.toThrow("canceled");
  await waitFor(() => expect(ownPids().filter((pid) => pids.includes(pid))).toEqual([]));
  expect((await evaluator.judge(celSource(isPublic), INPUT, WIDE_LIMITS)).findings).toHaveLength(1);
  await expect(
    evaluator.judge(celSource(isPublic), INPUT, WIDE_LIMITS, { signal: AbortSignal.abort() }),
  ).rejects.toThrow();
});

it("gives its processes no secret, no variable and no right to files or processes", async () => {
  await evaluator.judge(celSource(isPublic), INPUT, WIDE_LIMITS);
  const [pid = 0] = ownPids();
  const names = readOrEmpty(`/proc/${pid}/environ`)
    .split("\0")
    .filter(Boolean)
    .map((line) => line.split("=")[0]);
  expect(
    names.filter(
      (name) =>
        !["TZ", "NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE", "PWD", "OLDPWD", "_", "SHLVL"].includes(
          name ?? "",
        ),
    ),
  ).toEqual([]);
  const command = readOrEmpty(`/proc/${pid}/cmdline`);
  expect(command).toContain("--permission");
  expect(command).not.toMatch(/--allow-(?:fs-write|child-process|worker|addons|wasi)/);
  expect(readOrEmpty(`/proc/${pid}/limits`)).toMatch(/Max cpu time\s+600/);
});

it("refuses what waits and what comes after it was closed", async () => {
  const calls = [1, 2, 3].map(() => evaluator.judge(celSource(endless), INPUT, WIDE_LIMITS));
  const ended = Promise.allSettled(calls);
  await waitFor(() => expect(ownPids()).toHaveLength(2));
  await evaluator.close();
  expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  await expect(evaluator.judge(celSource(isPublic), INPUT, WIDE_LIMITS)).rejects.toThrow("closed");
  await waitFor(() => expect(ownPids()).toEqual([]));
});

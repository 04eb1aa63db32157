import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { cp, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEvaluator } from "../../src/evaluator/evaluator.ts";
import { usageOf } from "../../src/evaluator/process/usage.ts";
import type { Evaluator, Judgement } from "../../src/model/policy/evaluator.ts";

import { waitFor, waitUntil } from "../support/eventually.ts";
import { celRule, celSource, change, inputOf, planOf, WIDE_LIMITS } from "../support/policy-input.ts";

const MIB = 1024 * 1024;
const TEN = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
const plan = planOf(
  change("aws_s3_bucket", "a", { acl: "public-read" }),
  change("aws_s3_bucket", "b", { acl: "private" }),
);

/** Loops within loops. */
const nested = (depth: number, inner: string): string =>
  depth === 0 ? inner : `${TEN}.all(v${depth}, ${nested(depth - 1, inner)})`;
/** Lists of lists: 10 to the power of `depth` values. */
const grown = (depth: number): string => (depth === 0 ? "'x'" : `${TEN}.map(v${depth}, ${grown(depth - 1)})`);

const isPublic = celRule('resource.after.acl == "public-read"', {
  name: "public",
  message: "{{resource.address}} is public",
});
/** Three nested loops: 8,000,000,000 steps. */
const endless = celRule("custom.numbers.all(a, custom.numbers.all(b, custom.numbers.all(c, a + b + c >= 0)))", {
  name: "endless",
  each: "PLAN",
  message: "",
});
const numbers = Array.from({ length: 2000 }, (_, n) => n);
const hungry = celRule(`size(${grown(8)}) > 0`, { name: "hungry", each: "PLAN", message: "" });

const input = inputOf(plan, { custom: { numbers } });

let evaluator: Evaluator;
beforeAll(() => {
  evaluator = createEvaluator();
});
afterAll(() => evaluator.close());

/** The processes that this one started and that evaluate policies. */
function evaluatorPids(server = process.pid): number[] {
  const own = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return own.filter((pid) => {
    const stat = readOrEmpty(`/proc/${pid}/stat`);
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isChild = Number(parent) === server && state !== "Z";
    return isChild && readOrEmpty(`/proc/${pid}/cmdline`).includes("evaluator/child/main.ts");
  });
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

const withoutCpu = (judgement: Judgement) => JSON.stringify({ ...judgement, cpuMs: 0 });

it("judges the policies of a point", async () => {
  const other = celRule("true", { name: "other", point: "PRE_APPLY" });
  const judgement = await evaluator.judge(
    celSource(isPublic, other, celRule("false", { name: "passing" })),
    input,
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
  const before = evaluatorPids();
  const judgement = await fresh.judge(celSource({ ...isPublic, point: "PRE_APPLY" }), input, WIDE_LIMITS);
  expect(judgement).toEqual({ findings: [], errors: [], passed: 0, dropped: 0, cpuMs: 0 });
  expect(evaluatorPids()).toEqual(before);
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
    const judgement = await evaluator.judge(celSource(isPublic, endless, last), input, limits);
    expect(judgement.findings.map(({ policy }) => policy)).toEqual(["public", "last"]);
    expect(judgement.errors).toMatchObject([{ policy: "endless", kind: "TIME" }]);
    expect(judgement.errors[0]?.message).toMatch(
      /^Policy "endless" (?:used \d+ ms of CPU time; the limit is 300 ms|took \d+ ms; the limit is 1800 ms, 6 times that of CPU time)\.$/,
    );
    expect(judgement.cpuMs).toBeGreaterThan(0);
  });

  it("is an error for memory", async () => {
    const memory = { ...WIDE_LIMITS, memoryBytes: 192 * MIB };
    const judgement = await evaluator.judge(celSource(hungry, isPublic), input, memory);
    expect(judgement.findings.map(({ policy }) => policy)).toEqual(["public"]);
    expect(judgement.errors).toMatchObject([{ policy: "hungry", kind: "MEMORY" }]);
    expect(judgement.errors[0]?.message).toMatch(/^Policy "hungry" used .* memory.*; the limit is 192 MiB\.$/);
  });

  it("is none for a plan of 64 MiB: it is judged, or an error where the memory is too little", async () => {
    const [first, second] = [
      change("aws_s3_bucket", "a", { acl: "public-read" }),
      change("aws_s3_bucket", "b", { acl: "private", text: "x".repeat(64 * MIB) }),
    ];
    const large = inputOf(planOf(first, second));
    expect(await evaluator.judge(celSource(isPublic), large, WIDE_LIMITS)).toMatchObject({
      errors: [],
      findings: [{ policy: "public", addresses: ["aws_s3_bucket.a"] }],
    });
    const little = await evaluator.judge(celSource(isPublic), large, { ...WIDE_LIMITS, memoryBytes: 128 * MIB });
    expect(little).toMatchObject({ findings: [], passed: 0, errors: [{ policy: "public", kind: "MEMORY" }] });
  });

  it("takes more memory than its share alone: many at once leave room for the server", async () => {
    let [most, above, isOver] = [0, 0, false];
    const sample = (): boolean => {
      const used = evaluatorPids().map((pid) => usageOf(pid)?.memoryBytes ?? 0);
      const sum = used.reduce((total, bytes) => total + bytes, 0);
      most = Math.max(most, sum);
      above = Math.max(above, used.filter((bytes) => bytes > 400 * MIB).length);
      return isOver;
    };
    const sampling = waitUntil(sample, { interval: 20, timeout: 120_000 });
    const judging = Array.from({ length: 3 }, () => evaluator.judge(celSource(hungry, isPublic), input, WIDE_LIMITS));
    const judgements = await Promise.all(judging);
    isOver = true;
    await sampling;
    expect(
      judgements.map(({ errors, passed, findings }) => [errors.map(({ kind }) => kind), passed, findings.length]),
    ).toEqual(Array.from({ length: 3 }, () => [["MEMORY"], 0, 1]));
    expect(above).toBe(1);
    expect(most).toBeLessThan(900 * MIB);
  }, 120_000);

  it("leaves nothing for others once all together are beyond theirs", async () => {
    const few = { ...limits, cpuMs: 500 };
    const sources = celSource(endless, { ...endless, name: "endless 2" }, { ...endless, name: "endless 3" }, isPublic);
    const judgement = await evaluator.judge(sources, input, few);
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

  it("does not hold up other evaluations", async () => {
    const stop = new AbortController();
    const slow = evaluator
      .judge(celSource(endless), input, { ...limits, cpuMsPerPolicy: 8000 }, stop)
      .catch(() => undefined);
    let isSlowOver = false;
    void slow.finally(() => (isSlowOver = true));
    const quick = await Promise.all(
      Array.from({ length: 5 }, () => evaluator.judge(celSource(isPublic), input, WIDE_LIMITS)),
    );
    expect(quick.map(({ findings }) => findings.length)).toEqual([1, 1, 1, 1, 1]);
    expect(isSlowOver).toBe(false);
    stop.abort(new Error("canceled"));
    await slow;
  });
});

describe("a judgement in the background", () => {
  /** Whether a call has ended. */
  const ending = (call: Promise<unknown>): (() => boolean) => {
    let isOver = false;
    const note = (): void => void (isOver = true);
    void call.then(note, note);
    return () => isOver;
  };
  const cpuOf = (pid: number): number => usageOf(pid)?.cpuMs ?? 0;

  it("gives its process to one that is not, and begins again with the policy at work", async () => {
    const fresh = createEvaluator();
    const others = evaluatorPids();
    const busyPids = (): number[] => evaluatorPids().filter((pid) => !others.includes(pid) && cpuOf(pid) > 600);
    const stop = new AbortController();
    const options = { signal: stop.signal, isBackground: true };
    const background = fresh.judge(celSource(isPublic, endless), input, WIDE_LIMITS, options);
    const isBackgroundOver = ending(background);
    // It never has all processes: the second one waits.
    const second = fresh.judge(celSource(isPublic, endless), input, WIDE_LIMITS, options);
    const isSecondOver = ending(second);
    const [pid = 0] = await waitFor(() => {
      const found = busyPids();
      expect(found).toHaveLength(1);
      return found;
    });
    expect(evaluatorPids().filter((one) => !others.includes(one))).toEqual([pid]);
    const inFront = fresh.judge(celSource(endless), input, WIDE_LIMITS, stop);
    const isInFrontOver = ending(inFront);
    await waitFor(() => expect(busyPids()).toHaveLength(2));
    expect(busyPids()).toContain(pid);
    const quick = [1, 2, 3].map(() => fresh.judge(celSource(isPublic), input, WIDE_LIMITS));
    for (const judgement of await Promise.all(quick)) expect(judgement.findings).toHaveLength(1);
    expect([isBackgroundOver(), isSecondOver(), isInFrontOver()]).toEqual([false, false, false]);
    expect(usageOf(pid)).toBeNull();
    stop.abort(new Error("canceled"));
    for (const call of [background, second, inFront]) await expect(call).rejects.toThrow("canceled");
    await fresh.close();
  });

  it("comes to the same judgement as without giving way", async () => {
    const others = evaluatorPids();
    const fresh = createEvaluator({ processes: 1 });
    const loop = celRule(`[0, 1, 2].all(v, ${nested(5, "v1 < 10")})`, { name: "loop", each: "PLAN", message: "done" });
    const source = celSource(isPublic, loop, { ...isPublic, name: "last" });
    const expected = withoutCpu(await fresh.judge(source, input, WIDE_LIMITS));
    const [pid = 0] = evaluatorPids().filter((one) => !others.includes(one));
    const before = cpuOf(pid);
    const background = fresh.judge(source, input, WIDE_LIMITS, { isBackground: true });
    const isOver = ending(background);
    await waitFor(() => expect(cpuOf(pid)).toBeGreaterThan(before + 20));
    for (let round = 0; round < 4; round++) {
      expect((await fresh.judge(celSource(isPublic), input, WIDE_LIMITS)).findings).toHaveLength(1);
    }
    expect([isOver(), usageOf(pid)]).toEqual([false, null]);
    expect(withoutCpu(await background)).toBe(expected);
    await fresh.close();
  });
});

it("ends the process of an evaluation that is aborted, and judges on", async () => {
  const stop = new AbortController();
  const endlessly = evaluator.judge(celSource(endless), input, WIDE_LIMITS, stop);
  const waiting = [1, 2].map(() => evaluator.judge(celSource(endless), input, WIDE_LIMITS, stop));
  const pids = await waitFor(() => {
    const found = evaluatorPids();
    expect(found).toHaveLength(2);
    return found;
  });
  stop.abort(new Error("canceled"));
  for (const call of [endlessly, ...waiting]) await expect(call).rejects.toThrow("canceled");
  await waitFor(() => expect(evaluatorPids().filter((pid) => pids.includes(pid))).toEqual([]));
  expect((await evaluator.judge(celSource(isPublic), input, WIDE_LIMITS)).findings).toHaveLength(1);
  await expect(
    evaluator.judge(celSource(isPublic), input, WIDE_LIMITS, { signal: AbortSignal.abort() }),
  ).rejects.toThrow();
});

it("replaces a process that was killed from outside; the judgement is as without that", async () => {
  const loop = celRule(`[0, 1, 2].all(v, ${nested(5, "v1 < 10")})`, { name: "loop", each: "PLAN", message: "done" });
  const source = celSource(isPublic, loop, { ...isPublic, name: "last" });
  const expected = withoutCpu(await evaluator.judge(source, input, WIDE_LIMITS));
  const judging = evaluator.judge(source, input, WIDE_LIMITS);
  const pids = evaluatorPids();
  expect(pids).not.toEqual([]);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  expect(withoutCpu(await judging)).toBe(expected);
  expect(evaluatorPids().filter((pid) => pids.includes(pid))).toEqual([]);
});

it("gives its processes no secret, no variable and no right to files or processes", async () => {
  await evaluator.judge(celSource(isPublic), input, WIDE_LIMITS);
  const [pid = 0] = evaluatorPids();
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

it("judges where the packages are a link to another folder", async () => {
  const root = new URL("../../", import.meta.url).pathname;
  const folder = await realpath(await mkdtemp(join(tmpdir(), "linked-packages-")));
  try {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    await cp(join(root, "package.json"), join(folder, "package.json"));
    for (const sources of ["src/evaluator", "src/model"]) {
      await cp(join(root, sources), join(folder, sources), { recursive: true });
    }
    const linked: { createEvaluator: typeof createEvaluator } = await import(
      pathToFileURL(join(folder, "src/evaluator/evaluator.ts")).href
    );
    const other = linked.createEvaluator();
    const judged = await other.judge(celSource(isPublic), input, WIDE_LIMITS);
    await other.close();
    expect(withoutCpu(judged)).toBe(withoutCpu(await evaluator.judge(celSource(isPublic), input, WIDE_LIMITS)));
    expect(judged.findings).toHaveLength(1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it("ends its processes with the server, also in the middle of a loop", async () => {
  const script = `
    import { createEvaluator } from "./src/evaluator/evaluator.ts";
    import { celSource, celRule, inputOf, planOf, WIDE_LIMITS } from "./test/support/policy-input.ts";
    const rule = celRule(${JSON.stringify(endless.when)}, { each: "PLAN", message: "" });
    const input = inputOf(planOf(), { custom: { numbers: ${JSON.stringify(numbers)} } });
    await createEvaluator().judge(celSource(rule), input, WIDE_LIMITS);`;
  const server = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], { stdio: "ignore" });
  const pids = await waitFor(() => {
    const found = evaluatorPids(server.pid);
    expect(found).toHaveLength(1);
    // It works: more than its start took.
    expect(usageOf(found[0] ?? 0)?.cpuMs).toBeGreaterThan(600);
    return found;
  });
  server.kill("SIGKILL");
  await waitFor(() => expect(pids.map(usageOf)).toEqual([null]));
});

it("gives one judgement each time, by any process", async () => {
  const source = celSource(isPublic, celRule("resource.after.acl == 1 || resource.missing", { name: "failing" }));
  const judgements = new Set<string>();
  const second = createEvaluator();
  for (let round = 0; round < 5; round++) {
    for (const one of [evaluator, second]) judgements.add(withoutCpu(await one.judge(source, input, WIDE_LIMITS)));
  }
  await second.close();
  expect([...judgements]).toHaveLength(1);
});

it("refuses what waits and what comes after it was closed", async () => {
  const calls = [1, 2, 3].map(() => evaluator.judge(celSource(endless), input, WIDE_LIMITS));
  const ended = Promise.allSettled(calls);
  await waitFor(() => expect(evaluatorPids()).toHaveLength(2));
  await evaluator.close();
  expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  await expect(evaluator.judge(celSource(isPublic), input, WIDE_LIMITS)).rejects.toThrow("closed");
  await waitFor(() => expect(evaluatorPids()).toEqual([]));
});

/** Processes that evaluate policies, while memory is short, others wait, or something kills them. */
import { spawn } from "node:child_process";
import { cp, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEvaluator } from "../../src/evaluator/evaluator.ts";
import { usageOf } from "../../src/evaluator/process/usage.ts";
import type { Evaluator } from "../../src/model/policy/evaluator.ts";
import { endless, evaluatorPids, INPUT, isPublic, NUMBERS, withoutCpu } from "../support/evaluator-processes.ts";
import { waitFor, waitUntil } from "../support/eventually.ts";
import { celRule, celSource, change, inputOf, planOf, WIDE_LIMITS } from "../support/policy-input.ts";

const MIB = 1024 * 1024;
const TEN = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";

/** Loops within loops. */
const nested = (depth: number, inner: string): string =>
  depth === 0 ? inner : `${TEN}.all(v${depth}, ${nested(depth - 1, inner)})`;
/** Lists of lists: 10 to the power of `depth` values. */
const grown = (depth: number): string => (depth === 0 ? "'x'" : `${TEN}.map(v${depth}, ${grown(depth - 1)})`);
const hungry = celRule(`size(${grown(8)}) > 0`, { name: "hungry", each: "PLAN", message: "" });

let evaluator: Evaluator;
/** Processes of other evaluators, which the servers of this process share. */
let shared: number[];
beforeAll(() => {
  shared = evaluatorPids();
  evaluator = createEvaluator();
});
afterAll(() => evaluator.close());

const ownPids = (): number[] => evaluatorPids().filter((pid) => !shared.includes(pid));

describe("a policy that takes much memory", () => {
  it("is an error for memory", async () => {
    const memory = { ...WIDE_LIMITS, memoryBytes: 192 * MIB };
    const judgement = await evaluator.judge(celSource(hungry, isPublic), INPUT, memory);
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
      const used = ownPids().map((pid) => usageOf(pid)?.memoryBytes ?? 0);
      const sum = used.reduce((total, bytes) => total + bytes, 0);
      most = Math.max(most, sum);
      above = Math.max(above, used.filter((bytes) => bytes > 400 * MIB).length);
      return isOver;
    };
    const sampling = waitUntil(sample, { interval: 20, timeout: 300_000 });
    const judging = Array.from({ length: 3 }, () => evaluator.judge(celSource(hungry, isPublic), INPUT, WIDE_LIMITS));
    const judgements = await Promise.all(judging);
    isOver = true;
    await sampling;
    expect(
      judgements.map(({ errors, passed, findings }) => [errors.map(({ kind }) => kind), passed, findings.length]),
    ).toEqual(Array.from({ length: 3 }, () => [["MEMORY"], 0, 1]));
    expect(above).toBe(1);
    expect(most).toBeLessThan(900 * MIB);
  });
});

it("does not hold up other evaluations", async () => {
  const stop = new AbortController();
  const slow = evaluator
    .judge(celSource(endless), INPUT, { ...WIDE_LIMITS, cpuMsPerPolicy: 8000 }, stop)
    .catch(() => undefined);
  let isSlowOver = false;
  void slow.finally(() => (isSlowOver = true));
  const quick = await Promise.all(
    Array.from({ length: 5 }, () => evaluator.judge(celSource(isPublic), INPUT, WIDE_LIMITS)),
  );
  expect(quick.map(({ findings }) => findings.length)).toEqual([1, 1, 1, 1, 1]);
  expect(isSlowOver).toBe(false);
  stop.abort(new Error("canceled"));
  await slow;
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
    const others = ownPids();
    const busyPids = (): number[] => ownPids().filter((pid) => !others.includes(pid) && cpuOf(pid) > 600);
    const stop = new AbortController();
    const options = { signal: stop.signal, isBackground: true };
    const background = fresh.judge(celSource(isPublic, endless), INPUT, WIDE_LIMITS, options);
    const isBackgroundOver = ending(background);
    // It never has all processes: the second one waits.
    const second = fresh.judge(celSource(isPublic, endless), INPUT, WIDE_LIMITS, options);
    const isSecondOver = ending(second);
    const [pid = 0] = await waitFor(() => {
      const found = busyPids();
      expect(found).toHaveLength(1);
      return found;
    });
    expect(ownPids().filter((one) => !others.includes(one))).toEqual([pid]);
    const inFront = fresh.judge(celSource(endless), INPUT, WIDE_LIMITS, stop);
    const isInFrontOver = ending(inFront);
    await waitFor(() => expect(busyPids()).toHaveLength(2));
    expect(busyPids()).toContain(pid);
    const quick = [1, 2, 3].map(() => fresh.judge(celSource(isPublic), INPUT, WIDE_LIMITS));
    for (const judgement of await Promise.all(quick)) expect(judgement.findings).toHaveLength(1);
    expect([isBackgroundOver(), isSecondOver(), isInFrontOver()]).toEqual([false, false, false]);
    expect(usageOf(pid)).toBeNull();
    stop.abort(new Error("canceled"));
    for (const call of [background, second, inFront]) await expect(call).rejects.toThrow("canceled");
    await fresh.close();
  });

  it("comes to the same judgement as without giving way", async () => {
    const others = ownPids();
    const fresh = createEvaluator({ processes: 1 });
    const loop = celRule(`[0, 1, 2].all(v, ${nested(5, "v1 < 10")})`, { name: "loop", each: "PLAN", message: "done" });
    const source = celSource(isPublic, loop, { ...isPublic, name: "last" });
    const expected = withoutCpu(await fresh.judge(source, INPUT, WIDE_LIMITS));
    const [pid = 0] = ownPids().filter((one) => !others.includes(one));
    const before = cpuOf(pid);
    const background = fresh.judge(source, INPUT, WIDE_LIMITS, { isBackground: true });
    const isOver = ending(background);
    await waitFor(() => expect(cpuOf(pid)).toBeGreaterThan(before + 20));
    for (let round = 0; round < 4; round++) {
      expect((await fresh.judge(celSource(isPublic), INPUT, WIDE_LIMITS)).findings).toHaveLength(1);
    }
    expect([isOver(), usageOf(pid)]).toEqual([false, null]);
    expect(withoutCpu(await background)).toBe(expected);
    await fresh.close();
  });
});

it("replaces a process that was killed from outside; the judgement is as without that", async () => {
  const loop = celRule(`[0, 1, 2].all(v, ${nested(5, "v1 < 10")})`, { name: "loop", each: "PLAN", message: "done" });
  const source = celSource(isPublic, loop, { ...isPublic, name: "last" });
  const expected = withoutCpu(await evaluator.judge(source, INPUT, WIDE_LIMITS));
  const judging = evaluator.judge(source, INPUT, WIDE_LIMITS);
  const pids = ownPids();
  expect(pids).not.toEqual([]);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  expect(withoutCpu(await judging)).toBe(expected);
  expect(ownPids().filter((pid) => pids.includes(pid))).toEqual([]);
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
    const judged = await other.judge(celSource(isPublic), INPUT, WIDE_LIMITS);
    await other.close();
    expect(withoutCpu(judged)).toBe(withoutCpu(await evaluator.judge(celSource(isPublic), INPUT, WIDE_LIMITS)));
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
    const input = inputOf(planOf(), { custom: { numbers: ${JSON.stringify(NUMBERS)} } });
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
    for (const one of [evaluator, second]) judgements.add(withoutCpu(await one.judge(source, INPUT, WIDE_LIMITS)));
  }
  await second.close();
  expect([...judgements]).toHaveLength(1);
});

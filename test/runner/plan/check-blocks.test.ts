/** The check blocks of plans and states, as Terraform 1.11 describes them. */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import type { CheckBlock } from "../../../src/model/plan/check-block.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { checkBlocksOfPlan, checkBlocksOfState, shownCheckBlocks } from "../../../src/runner/plan/check-blocks.ts";

const shown = (name: string, kind = "check") => ({ kind, name, to_display: `${kind}.${name}` });
const instance = (address: string, status: string, ...messages: string[]) => ({
  address: { to_display: address },
  status,
  ...(messages.length > 0 && { problems: messages.map((message) => ({ message })) }),
});
const masker = (): Masker => new Masker(6);

describe("a plan", () => {
  it("gives each instance of a check block, with its messages in one order", () => {
    const checks = [
      { address: shown("bad"), status: "fail", instances: [instance("check.bad", "fail", "second", "first")] },
      { address: shown("wrong"), status: "error", instances: [instance("check.wrong", "error")] },
      { address: shown("later"), status: "unknown", instances: [instance("check.later", "unknown")] },
      { address: shown("good"), status: "pass", instances: [instance("module.a.check.good", "pass")] },
    ];
    expect(checkBlocksOfPlan(checks)).toEqual([
      { address: "check.bad", status: "FAILED", problems: ["first", "second"] },
      { address: "check.wrong", status: "ERRORED", problems: [] },
      { address: "check.later", status: "UNKNOWN", problems: [] },
      { address: "module.a.check.good", status: "PASSED", problems: [] },
    ]);
  });

  it("leaves out conditions of resources, outputs and variables", () => {
    const checks = ["resource", "output_value", "var"].map((kind) => {
      return { address: shown("a", kind), status: "pass", instances: [instance(`${kind}.a`, "pass")] };
    });
    expect(checkBlocksOfPlan(checks)).toEqual([]);
  });

  it("lists one that was not evaluated, and not one whose module has no instance", () => {
    const checks = [
      { address: shown("a"), status: "unknown" },
      { address: shown("b"), status: "pass" },
    ];
    expect(checkBlocksOfPlan(checks)).toEqual([{ address: "check.a", status: "UNKNOWN", problems: [] }]);
  });

  it.each([undefined, null, "x", [1, null, { address: "x" }], [{ address: { kind: "check" } }]])(
    "survives what is no list of checks: %j",
    (checks) => {
      expect(() => checkBlocksOfPlan(checks)).not.toThrow();
    },
  );
});

it("a state gives them too", () => {
  const state = {
    version: 4,
    check_results: [
      {
        object_kind: "check",
        config_addr: "check.bad",
        status: "fail",
        objects: [{ object_addr: "check.bad", status: "fail", failure_messages: ["b", "a"] }],
      },
      { object_kind: "check", config_addr: "check.gone", status: "unknown", objects: null },
      {
        object_kind: "resource",
        config_addr: "a.b",
        status: "pass",
        objects: [{ object_addr: "a.b", status: "pass" }],
      },
    ],
  };
  expect(checkBlocksOfState(state)).toEqual([
    { address: "check.bad", status: "FAILED", problems: ["a", "b"] },
    { address: "check.gone", status: "UNKNOWN", problems: [] },
  ]);
  expect(checkBlocksOfState({ version: 4, check_results: null })).toEqual([]);
  expect(checkBlocksOfState(undefined)).toEqual([]);
});

describe("what is shown", () => {
  const block = (address: string, status: CheckBlock["status"], ...problems: string[]): CheckBlock => {
    return { address, status, problems };
  };

  it("is null without check blocks, and has those that fail first", () => {
    expect(shownCheckBlocks([], masker())).toBeNull();
    const found = [block("check.c", "PASSED"), block("check.b", "UNKNOWN"), block("check.a", "FAILED", "No.")];
    const { blocks, count, failedCount } = shownCheckBlocks(found, masker()) ?? expect.fail();
    expect(blocks.map(({ status }) => status)).toEqual(["FAILED", "UNKNOWN", "PASSED"]);
    expect({ count, failedCount }).toEqual({ count: 3, failedCount: 1 });
  });

  it("has no secret, also over two lines", () => {
    const secrets = masker();
    secrets.add(["canary-value"]);
    const text = JSON.stringify(shownCheckBlocks([block("check.a", "FAILED", "is canary-value\nno")], secrets));
    expect(text).not.toContain("canary");
    expect(text).toContain("is ");
  });

  it("is bounded in count and bytes, and all are counted", () => {
    const many = Array.from({ length: LIMITS.checkBlocks + 10 }, (_, n) => block(`check.c${n}`, "PASSED"));
    const found = shownCheckBlocks([...many, block("check.z", "FAILED", "No.")], masker()) ?? expect.fail();
    expect(found.blocks).toHaveLength(LIMITS.checkBlocks);
    expect(found.blocks[0]?.address).toBe("check.z");
    expect(found.count).toBe(LIMITS.checkBlocks + 11);

    const messages = Array.from({ length: LIMITS.checkProblems + 5 }, () => "ä".repeat(LIMITS.checkProblemBytes));
    const long = Array.from({ length: 50 }, (_, n) => block(`check.c${n}`, "FAILED", ...messages));
    const cut = shownCheckBlocks(long, masker()) ?? expect.fail();
    expect(Buffer.byteLength(JSON.stringify(cut.blocks.map(({ problems }) => problems)))).toBeLessThan(300 * 1024);
    expect(cut.blocks.length).toBeGreaterThan(5);
    expect(cut.blocks.length).toBeLessThan(50);
    expect(cut.failedCount).toBe(50);
    expect(cut.blocks[0]?.problems).toHaveLength(LIMITS.checkProblems);
    expect(Buffer.byteLength(cut.blocks[0]?.problems[0] ?? "")).toBeLessThanOrEqual(LIMITS.checkProblemBytes);
  });
});

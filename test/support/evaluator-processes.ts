/** Policies for tests of the processes that evaluate, and those processes as the system lists them. */
import { readFileSync } from "node:fs";
import type { Judgement } from "../../src/model/policy/evaluator.ts";
import { celRule, change, inputOf, planOf } from "./policy-input.ts";

const PLAN = planOf(
  change("aws_s3_bucket", "a", { acl: "public-read" }),
  change("aws_s3_bucket", "b", { acl: "private" }),
);
export const NUMBERS = Array.from({ length: 2000 }, (_, n) => n);

export const INPUT = inputOf(PLAN, { custom: { numbers: NUMBERS } });

/** Finds the first bucket of the plan. */
export const isPublic = celRule('resource.after.acl == "public-read"', {
  name: "public",
  message: "{{resource.address}} is public",
});

/** Three nested loops: 8,000,000,000 steps. */
export const endless = celRule("custom.numbers.all(a, custom.numbers.all(b, custom.numbers.all(c, a + b + c >= 0)))", {
  name: "endless",
  each: "PLAN",
  message: "",
});

export const withoutCpu = (judgement: Judgement): string => JSON.stringify({ ...judgement, cpuMs: 0 });

/** Lists the processes that evaluate policies for a process, which is this one unless given. */
export function evaluatorPids(server = process.pid): number[] {
  // The system lists the children of a thread in one file. Reading the parents of all processes takes milliseconds.
  const children = readOrEmpty(`/proc/${server}/task/${server}/children`).split(" ").map(Number).filter(Boolean);
  return children.filter((pid) => readOrEmpty(`/proc/${pid}/cmdline`).includes("evaluator/child/main.ts"));
}

export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/**
 * Measures the evaluation of policies: `node bench/policies.ts`. It needs no database and takes about a minute; the
 * figures of docs/policies.md are its output.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { zstdCompressSync } from "node:zlib";
import { createEvaluator } from "../src/evaluator/evaluator.ts";
import type { Evaluator, JudgeInput, JudgeLimits } from "../src/model/policy/evaluator.ts";
import type { CelRule, PolicySource } from "../src/model/policy/policy-source.ts";
import type { Json } from "../src/model/plan/json.ts";

const MIB = 1024 * 1024;
const LIMITS: JudgeLimits = { cpuMsPerPolicy: 10_000, cpuMs: 300_000, memoryBytes: 512 * MIB };
const TEN = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";

const TYPES = [
  "aws_s3_bucket",
  "aws_security_group",
  "aws_instance",
  "aws_iam_role",
  "aws_db_instance",
  "aws_lb",
  "aws_subnet",
  "aws_route",
];

/** Rules as people write them; the last two are asked for all types. */
const RULES: readonly (readonly [types: string[] | null, when: string])[] = [
  [["aws_s3_bucket"], 'has(resource.after.acl) && resource.after.acl in ["public-read", "public-read-write"]'],
  [
    ["aws_security_group"],
    "resource.after.ingress.exists(rule, rule.from_port <= 22 && rule.to_port >= 22 && '0.0.0.0/0' in rule.cidr_blocks)",
  ],
  [["aws_instance"], 'resource.after.instance_type.matches("^(m5|c5)\\\\.(8|16)xlarge$")'],
  [["aws_db_instance"], "resource.after.storage_encrypted == false"],
  [["aws_iam_role"], 'resource.after.name.startsWith("admin-")'],
  [["aws_lb"], "resource.after.internal == false && resource.action == 'CREATE'"],
  [["aws_subnet"], "resource.after.map_public_ip_on_launch"],
  [["aws_route"], "resource.after.destination == '0.0.0.0/0'"],
  [null, '!has(resource.after.tags) || !("Owner" in resource.after.tags)'],
  [null, 'resource.action == "DELETE" && resource.type != "aws_route"'],
];

function planOf(count: number): Json {
  return {
    format_version: "1.2",
    resource_changes: Array.from({ length: count }, (_, n) => {
      const type = TYPES[n % TYPES.length] ?? "";
      const after: Json = {
        name: `name-${n}`,
        acl: n % 100 === 0 ? "public-read" : "private",
        instance_type: "m5.large",
        storage_encrypted: true,
        internal: true,
        map_public_ip_on_launch: false,
        destination: "10.0.0.0/8",
        description: "x".repeat(300),
        tags: { Owner: "team", Name: `n${n}`, env: "prod", cost: "1234" },
        ingress: Array.from({ length: 4 }, (__, port) => ({
          from_port: 400 + port,
          to_port: 500,
          protocol: "tcp",
          cidr_blocks: ["10.0.0.0/8", "10.1.0.0/16"],
        })),
      };
      const change = { actions: ["create"], before: null, after, after_unknown: { id: true, arn: true } };
      return { address: `${type}.r${n}`, mode: "managed", type, name: `r${n}`, change };
    }),
  };
}

function inputOf(plan: Json): { input: JudgeInput; rawBytes: number } {
  const text = JSON.stringify({ plan, custom: {} });
  const context = {
    holdpoint: { version: "0.1.0", at: "2026-11-26T08:00:00.000Z", point: "PLAN" as const, truncated: [] },
    run: {},
    workspace: {},
    organization: {},
    actor: {},
    approvals: [],
    cost: null,
    previousRun: null,
  };
  const input: JudgeInput = {
    point: "PLAN",
    dialect: "HOLDPOINT",
    document: zstdCompressSync(text),
    documentKey: null,
    context,
  };
  return { input, rawBytes: Buffer.byteLength(text) };
}

function rule(name: string, when: string, types: string[] | null, each: CelRule["each"] = "RESOURCE"): CelRule {
  const fixed = { point: "PLAN", level: "MANDATORY", stopsAutoApply: true, actions: null } as const;
  const message = each === "PLAN" ? "" : "{{resource.address}}";
  return { name, when, types, each, message, remediation: null, approvers: null, ...fixed };
}

function rulesOf(count: number): PolicySource {
  const rules = Array.from({ length: count }, (_, n) => {
    const [types, when] = RULES[n % RULES.length] ?? [null, "false"];
    return rule(`rule ${n}`, when, types === null ? null : [...types], "RESOURCE");
  });
  return { language: "CEL", rules };
}

const endless = rule("endless", nested(12), null, "PLAN");
const hungry = rule("hungry", `size(${grown(9)}) > 0`, null, "PLAN");

function nested(depth: number): string {
  return depth === 0 ? "v1 < 10" : `${TEN}.all(v${depth}, ${nested(depth - 1)})`;
}

function grown(depth: number): string {
  return depth === 0 ? "'x'" : `${TEN}.map(v${depth}, ${grown(depth - 1)})`;
}

const print = (name: string, text: string): void => void process.stdout.write(`${name.padEnd(44)}${text}\n`);
const ms = (value: number): string => `${Math.round(value)} ms`;

/** The longest delay of the event loop, beside that of a machine that does nothing else. */
async function withDelay<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; delayMs: number; wallMs: number; ownMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  delay.enable();
  const result = await work();
  delay.disable();
  const { user, system } = process.cpuUsage(cpu);
  return { result, delayMs: delay.max / 1e6, wallMs: performance.now() - start, ownMs: (user + system) / 1000 };
}

async function speed(evaluator: Evaluator, resources: number, rules: number): Promise<void> {
  const { input, rawBytes } = inputOf(planOf(resources));
  const name = `${resources} resources (${(rawBytes / MIB).toFixed(1)} MiB), ${rules} rules`;
  const source = rulesOf(rules);
  await evaluator.judge(source, input, LIMITS);
  const { result, delayMs, wallMs, ownMs } = await withDelay(() => evaluator.judge(source, input, LIMITS));
  const idle = await withDelay(() => pause(wallMs));
  print(
    name,
    `CPU ${ms(result.cpuMs)}, wall ${ms(wallMs)}, ${result.findings.length} findings, ${result.errors.length} errors`,
  );
  print("  the server's event loop", `longest delay ${ms(delayMs)} (idle: ${ms(idle.delayMs)}), CPU ${ms(ownMs)}`);
}

async function kill(evaluator: Evaluator): Promise<void> {
  const { input } = inputOf(planOf(10));
  const limits = { ...LIMITS, cpuMsPerPolicy: 1000 };
  const over: number[] = [];
  for (let round = 0; round < 5; round++) {
    const { errors } = await evaluator.judge({ language: "CEL", rules: [endless] }, input, limits);
    over.push(Number(/used (\d+) ms/.exec(errors[0]?.message ?? "")?.[1] ?? Number.NaN) - limits.cpuMsPerPolicy);
  }
  print("an endless rule, CPU time beyond its limit", over.map(ms).join(", "));
}

/** All memory of the processes that this one started. */
async function crowd(evaluator: Evaluator): Promise<void> {
  const { input } = inputOf(planOf(10));
  const { readdirSync, readFileSync } = await import("node:fs");
  const ended = new AbortController();
  let peak = 0;
  const sample = (async () => {
    while (!ended.signal.aborted) {
      let sum = 0;
      for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
        try {
          const status = readFileSync(`/proc/${pid}/status`, "utf8");
          if (!status.includes(`PPid:\t${process.pid}\n`)) continue;
          sum += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
        } catch {
          // It has ended.
        }
      }
      peak = Math.max(peak, sum);
      await pause(20);
    }
  })();
  const limits = { ...LIMITS, cpuMsPerPolicy: 5000 };
  const judgements = await Promise.all(
    Array.from({ length: 50 }, () => evaluator.judge({ language: "CEL", rules: [hungry] }, input, limits)),
  );
  ended.abort();
  await sample;
  const kinds = Object.groupBy(judgements, ({ errors }) => errors[0]?.kind ?? "none");
  const counts = Object.entries(kinds).map(([kind, all]) => `${all?.length ?? 0} ${kind}`);
  print(
    "50 rules that eat memory, at once",
    `${counts.join(", ")}; the processes took ${Math.round(peak)} MiB at most`,
  );
}

const evaluator = createEvaluator();
const cold = await withDelay(() => evaluator.judge(rulesOf(1), inputOf(planOf(1)).input, LIMITS));
print("the first judgement, with the start", `wall ${ms(cold.wallMs)}`);
await speed(evaluator, 100, 20);
await speed(evaluator, 5000, 100);
await kill(evaluator);
await crowd(evaluator);
await evaluator.close();

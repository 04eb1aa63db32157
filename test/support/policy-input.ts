import { zstdCompressSync } from "node:zlib";
import { performJob } from "../../src/evaluator/child/perform-job.ts";
import type { Line } from "../../src/evaluator/child/messages.ts";
import type { PolicyReport } from "../../src/evaluator/kit/policy-report.ts";
import type { JudgeInput, JudgeLimits, PolicyContext } from "../../src/model/policy/evaluator.ts";
import type { CelRule, PolicySource } from "../../src/model/policy/policy-source.ts";
import type { Json } from "../../src/model/plan/json.ts";

const MIB = 1024 * 1024;

/** Limits that no test of a language comes near. */
export const WIDE_LIMITS: JudgeLimits = { cpuMsPerPolicy: 10_000, cpuMs: 60_000, memoryBytes: 512 * MIB };

export const CONTEXT: PolicyContext = {
  holdpoint: { version: "0.1.0", at: "2026-11-26T08:00:00.000Z", point: "PLAN", truncated: [] },
  run: { id: "run_1", kind: "DEPLOY", trigger: "API", message: "Update" },
  workspace: { id: "ws_1", name: "network", labels: { env: "prod" } },
  organization: { id: "org_1", name: "acme" },
  actor: { id: "user_1", name: "alice" },
  approvals: [],
  cost: null,
  previousRun: null,
};

/** A resource change as an engine describes it. */
export function change(type: string, name: string, after: Json, more: { [key: string]: Json } = {}): Json {
  const { actions = ["create"], before = null, ...rest } = more;
  return { address: `${type}.${name}`, mode: "managed", type, name, change: { actions, before, after }, ...rest };
}

export function planOf(...changes: Json[]): Json {
  return { format_version: "1.2", terraform_version: "1.11.4", resource_changes: changes };
}

export function inputOf(
  plan: Json,
  more: Partial<Omit<JudgeInput, "context">> & { custom?: Json; context?: Partial<PolicyContext> } = {},
) {
  const { custom = {}, context = {}, ...rest } = more;
  const document = plan === null ? null : zstdCompressSync(JSON.stringify({ plan, custom }));
  const input: JudgeInput = {
    point: "PLAN",
    dialect: "HOLDPOINT",
    document,
    documentKey: null,
    ...rest,
    context: { ...CONTEXT, ...context },
  };
  return input;
}

export function celRule(when: string, more: Partial<CelRule> = {}): CelRule {
  return {
    name: "rule",
    point: "PLAN",
    level: "MANDATORY",
    stopsAutoApply: true,
    each: "RESOURCE",
    types: null,
    actions: null,
    when,
    message: "{{resource.address}}",
    remediation: null,
    approvers: null,
    ...more,
  };
}

export const celSource = (...rules: CelRule[]): PolicySource => ({ language: "CEL", rules });

/** Judges in this process: for tests of languages, which start no process. */
export function judgeHere(source: PolicySource, input: JudgeInput): PolicyReport[] {
  const count = source.language === "CEL" ? source.rules.length : source.policies.length;
  const lines: Line[] = [];
  const indexes = Array.from({ length: count }, (_, index) => index);
  performJob(
    { type: "judge", source, input, indexes },
    (line) => lines.push(line),
    () => 0,
  );
  return lines.flatMap((line) => (line.type === "report" || line.type === "unprepared" ? [line.report] : []));
}

export function problemsHere(source: PolicySource) {
  const lines: Line[] = [];
  performJob(
    { type: "check", source },
    (line) => lines.push(line),
    () => 0,
  );
  return lines.flatMap((line) => (line.type === "problems" ? line.problems : []));
}

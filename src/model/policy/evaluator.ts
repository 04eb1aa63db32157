/** The contract between the server and the process that evaluates policies. */
import type { Json } from "../plan/json.ts";
import type { EnforcementLevel, PolicyDialect, PolicyPoint } from "./policy-set.ts";
import type { DemandedApprovers, Policy, PolicySource } from "./policy-source.ts";

/**
 * Everything that a policy may read beside the plan. Objects are as the dialect HOLDPOINT shows them; the other dialects
 * are made of these keys, and leave out what is absent. Instants are RFC 3339, decimals are texts.
 */
export interface PolicyContext {
  holdpoint: { version: string; at: string; point: PolicyPoint; truncated: string[] };
  /**
   * id, number, kind, trigger, cause, message, createdAt, planVersion, revision, commit, branch, targets, replace,
   * refreshOnly, command, metadata, and variables: by name, `{category, sensitive}`. At RUN_CREATE `id` and `number` are
   * `null`, and free texts are masked.
   */
  run: { [key: string]: Json };
  /** id, name, description, createdAt, project `{id, name}`, labels by key, autoApply, directory, repository, branch. */
  workspace: { [key: string]: Json };
  /** id, name. */
  organization: { [key: string]: Json };
  /** The requester: id, name, kind, and teams by name. */
  actor: { [key: string]: Json };
  /** Each with actor `{id, name}`, at, comment. */
  approvals: Json[];
  /** currency, monthlyBefore, monthlyAfter, monthlyDelta; `null` without an estimate. */
  cost: Json;
  /** The last run that ended before: id, status, message, commit, createdAt; `null` for the first. */
  previousRun: Json;
}

/**
 * `document`: the stored plan document, JSON with the keys `plan` and `custom`, compressed by zstd; `null` before a plan.
 * `documentKey`: the key under which its sensitive texts are digested; with `null`, `sanitized()` fails.
 */
export interface JudgeInput {
  point: PolicyPoint;
  dialect: PolicyDialect;
  document: Uint8Array | null;
  documentKey: string | null;
  context: PolicyContext;
}

/** CPU time in milliseconds, memory in bytes. */
export interface JudgeLimits {
  cpuMsPerPolicy: number;
  cpuMs: number;
  memoryBytes: number;
}

/** A part of an expression with its value, as text. */
export interface TraceLine {
  expression: string;
  value: string;
}

/** A violation, or a demand for approvals. */
export interface PolicyFinding {
  policy: string;
  /** The rule of the policy; the policy's own name where it has one rule. */
  rule: string;
  level: EnforcementLevel;
  stopsAutoApply: boolean;
  message: string;
  addresses: string[];
  /** The addresses were found in the message. */
  addressesInferred: boolean;
  remediation: string | null;
  approvers: DemandedApprovers | null;
  trace: TraceLine[] | null;
}

/**
 * SHAPE: a document or a result of another shape. MISSING: a function or an entry point that does not exist. CRASH: the
 * process ended.
 */
export const POLICY_ERROR_KINDS = ["TIME", "MEMORY", "SHAPE", "MISSING", "EXPRESSION", "CRASH"] as const;
export type PolicyErrorKind = (typeof POLICY_ERROR_KINDS)[number];

/** An error in place of a policy's result. The message names the policy, and for a limit its value and the use. */
export interface PolicyError {
  policy: string;
  kind: PolicyErrorKind;
  message: string;
}

/** A judgement. It is determined by input and source, but for `cpuMs`. */
export interface Judgement {
  findings: PolicyFinding[];
  errors: PolicyError[];
  /** Policies without a finding and without an error. */
  passed: number;
  /** Findings beyond 1,000 of a policy. */
  dropped: number;
  cpuMs: number;
}

/** A mistake in a source. Lines and columns count from 1. */
export interface PolicyProblem {
  file: string;
  line: number | null;
  column: number | null;
  message: string;
}

export interface JudgeOptions {
  /** Ends the judgement, with its process. */
  signal?: AbortSignal | undefined;
  /** It gives way to judgements that are not: its process is ended, and the policy at work begins again later. */
  isBackground?: boolean | undefined;
}

/** Evaluates policies in a process that can be killed. */
export interface Evaluator {
  /** Gives the judgement of the policies of one point. */
  judge(source: PolicySource, input: JudgeInput, limits: JudgeLimits, options?: JudgeOptions): Promise<Judgement>;
  /** Gives the policies of a source, or what is wrong with it. */
  check(source: PolicySource): Promise<{ policies: Policy[]; problems: PolicyProblem[] }>;
  close(): Promise<void>;
}

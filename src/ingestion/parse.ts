/** Checks what runners send, once at the edge. The types are those of wire.ts. */
import { z } from "zod";
import { JobError } from "../domain/job/job-error.ts";
import type { StateDocument } from "../domain/state/keep-state.ts";
import type { FailureReport } from "../model/lifecycle/failure.ts";
import { FAILURE_CODES, FAILURE_STAGES } from "../model/lifecycle/failure-code.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { EXECUTED_PHASES } from "../model/run/phase.ts";
import { CHECK_BLOCK_STATUSES, type FoundCheckBlocks } from "../model/plan/check-block.ts";
import type { Json } from "../model/plan/json.ts";
import { type Diagnostic, SEVERITIES } from "../model/plan/diagnostic.ts";
import { SCAN_STATUSES, type ScanResult } from "../model/run/scan.ts";
import { TEST_STATUSES, type TestReport } from "../model/run/test-report.ts";
import { DEPLOY_SHAPES } from "../model/workspace/deploy-shape.ts";
import { CHANGE_REASONS } from "../model/plan/change-reason.ts";
import { CHANGE_DEPENDENCIES, type PlanContent, REPLACE_PATHS, RESOURCE_ACTIONS } from "../model/plan/plan.ts";
import { DRIFT_ACTIONS, DRIFT_PATHS, type ResourceDrift } from "../model/plan/resource-drift.ts";
import { type ClaimingRunner, RUNNER_LABEL, RUNNER_LABEL_WORDS } from "../model/runner/runner.ts";
import { PROGRESS_ACTIONS } from "../model/run/run-progress.ts";
import type {
  CheckRequestClaim,
  CheckRequestReport,
  ClaimRequest,
  HeartbeatRequest,
  JobMessage,
  LockInfo,
  MaskDeclaration,
  ProgressReport,
} from "./wire.ts";

/** Numbers that the database stores in four bytes, and in eight. */
const count = z.int32().min(0);
const serial = z.int().min(0);
/** Every write counts one on: near 2^53, where numbers are no longer exact, a workspace could never be written again. */
const MAX_STATE_SERIAL = 2 ** 52;
const REFUSED_SERIAL = `must be a whole number from 0 to ${MAX_STATE_SERIAL} (2^52)`;
const writtenSerial = z.int(REFUSED_SERIAL).min(0, REFUSED_SERIAL).max(MAX_STATE_SERIAL, REFUSED_SERIAL);
const name = z.string().min(1).max(200);
const text = z.string();

const engine = z.object({ name, version: name });
export { engine as engineOfRunner, runner as claimingRunner };

const runner: z.ZodType<ClaimingRunner> = z.object({
  name,
  version: name,
  instance: z.string().min(1).max(100),
  labels: z
    .array(z.string().regex(RUNNER_LABEL, RUNNER_LABEL_WORDS))
    .max(LIMITS.runnerLabels)
    .transform((labels) => [...new Set(labels)].toSorted()),
  slots: z.int().min(1).max(LIMITS.runnerSlots),
  draining: z.boolean(),
});

const claim: z.ZodType<ClaimRequest & { runner: ClaimingRunner }> = z.object({
  // Those that begin so are the server's own: the claims of applies that follow their plans.
  claimId: z
    .string()
    .min(16)
    .max(100)
    .regex(/^(?!after:)/),
  runner,
  engine: engine.nullable(),
  waitMs: z.int().min(0).max(LIMITS.claimWaitMs),
});

/** A request for work that is not a job. */
export const claimOfWork = z.object({
  leaseId: z.string().min(16).max(100),
  runner,
  engine: engine.nullable(),
  waitMs: z.int().min(0).max(LIMITS.claimWaitMs),
});
const checkRequestClaim: z.ZodType<CheckRequestClaim & { runner: ClaimingRunner }> = claimOfWork;

const checkRequestReport: z.ZodType<CheckRequestReport> = z.object({
  id: name,
  fence: z.int32().min(1),
  statusCode: z.int().min(100).max(999).nullable(),
  error: text
    .max(LIMITS.checkErrorLength)
    .transform((value) => value.replaceAll("\0", "").toWellFormed())
    .nullable(),
});

const heartbeat: z.ZodType<HeartbeatRequest> = z.object({ waitMs: z.int().min(0).max(LIMITS.heartbeatMs) });

/** The query of a post of lines. `Number` alone would accept "0x10" and " 16 " too. */
const logPlace = z.object({
  phase: z.enum(EXECUTED_PHASES),
  firstLine: z
    .string()
    .regex(/^\d{1,10}$/, "must be a whole number in decimal digits")
    .transform(Number)
    .pipe(z.int().min(1).max(LIMITS.logLines)),
});

/** Names of parts that a document was sent without. */
const truncated = z
  .array(
    z
      .string()
      .regex(/^[A-Za-z0-9_.-]+$/)
      .max(LIMITS.truncatedPartLength),
  )
  .max(LIMITS.truncatedParts)
  .transform((names) => [...new Set(names)]);

const masks: z.ZodType<MaskDeclaration> = z.object({
  values: z
    .array(
      text
        .min(1)
        .refine((value) => Buffer.byteLength(value) <= LIMITS.maskBytes, `must have at most ${LIMITS.maskBytes} bytes`),
    )
    .max(LIMITS.masksPerRun),
});

const json: z.ZodType<Json> = z.json();

const resourceChange: z.ZodType<PlanContent["resourceChanges"][number]> = z.object({
  address: text,
  type: text,
  name: text,
  module: text.nullable(),
  action: z.enum(RESOURCE_ACTIONS),
  createBeforeDestroy: z.boolean().nullable(),
  previousAddress: text.nullable(),
  imported: z.boolean(),
  before: json,
  after: json,
  sensitivePaths: z.array(text),
  unknownPaths: z.array(text),
  // Runners of before send none of these.
  replacePaths: z.array(text).max(REPLACE_PATHS).default([]),
  dependsOn: z.array(text).max(CHANGE_DEPENDENCIES).default([]),
  reason: z.enum(CHANGE_REASONS).nullable().default(null),
  provider: text.nullable().default(null),
  index: text.nullable().default(null),
  deposed: text.nullable().default(null),
  importId: text.nullable().default(null),
});

const resourceDrift: z.ZodType<ResourceDrift> = z.object({
  address: text,
  type: text,
  action: z.enum(DRIFT_ACTIONS),
  paths: z.array(text).max(DRIFT_PATHS),
  relevant: z.boolean(),
  before: json,
  after: json,
  sensitivePaths: z.array(text),
});

const bounded = (bytes: number) =>
  text.refine((value) => Buffer.byteLength(value) <= bytes, `must have at most ${bytes} bytes`);

const checks: z.ZodType<FoundCheckBlocks> = z
  .object({
    blocks: z
      .array(
        z.object({
          address: bounded(LIMITS.checkAddressBytes),
          status: z.enum(CHECK_BLOCK_STATUSES),
          problems: z.array(bounded(LIMITS.checkProblemBytes)).max(LIMITS.checkProblems),
        }),
      )
      .min(1)
      .max(LIMITS.checkBlocks),
    count,
    failedCount: count,
  })
  .refine(({ blocks, count }) => count >= blocks.length, "must count at least the blocks that it lists");

const diagnostics: z.ZodType<Diagnostic[]> = z
  .array(
    z.object({
      severity: z.enum(SEVERITIES),
      summary: bounded(LIMITS.diagnosticSummaryBytes),
      detail: bounded(LIMITS.diagnosticDetailBytes).nullable(),
      address: bounded(LIMITS.diagnosticPlaceBytes).nullable(),
      file: bounded(LIMITS.diagnosticPlaceBytes).nullable(),
      line: count.nullable(),
      snippet: bounded(LIMITS.diagnosticSnippetBytes).nullable(),
      logLine: z.int32().min(1).nullable(),
    }),
  )
  .max(LIMITS.diagnostics);

const results = { checks: checks.optional(), diagnostics: diagnostics.optional() };

const plan: z.ZodType<PlanContent> = z.object({
  engine,
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  hasChanges: z.boolean(),
  complete: z.boolean(),
  counts: z.object({
    additions: count,
    changes: count,
    destructions: count,
    replacements: count,
    imports: count,
    moves: count,
    forgets: count,
  }),
  stateSerial: serial,
  text,
  resourceChanges: z.array(resourceChange),
  outputChanges: z.array(z.object({ name: text, action: z.enum(RESOURCE_ACTIONS), sensitive: z.boolean() })),
  outputValues: z.array(z.object({ name: text, before: json, after: json, unknown: z.boolean() })).optional(),
  instances: z.array(text).optional(),
  actionInvocations: z
    .array(z.object({ address: text, type: text, triggerAddress: text.nullable(), triggerEvent: text.nullable() }))
    .optional(),
  drift: z.array(resourceDrift).optional(),
  ...results,
});

const engineError = z.object({
  address: bounded(LIMITS.failureAddressBytes).optional(),
  summary: bounded(LIMITS.failureSummaryBytes),
  detail: bounded(LIMITS.failureDetailBytes),
});
const failure: z.ZodType<FailureReport> = z
  .object({
    code: z.enum(FAILURE_CODES),
    stage: z.enum(FAILURE_STAGES).optional(),
    summary: text,
    message: text,
    likelyCause: text.optional(),
    evidence: z.array(text),
    appliedAddresses: z.array(text).optional(),
    stateUncertain: z.boolean().optional(),
    errors: z.array(engineError).max(LIMITS.failureErrors).optional(),
    engine: z.enum(["terraform", "tofu"]).optional(),
    diagnostics: diagnostics.optional(),
  })
  .transform(({ stage, ...rest }) => (stage === undefined ? rest : { ...rest, stage }));

const tests: z.ZodType<TestReport> = z.object({
  status: z.enum(TEST_STATUSES),
  passedCount: count,
  failedCount: count,
  erroredCount: count,
  skippedCount: count,
  results: z
    .array(
      z.object({
        file: bounded(LIMITS.testNameBytes),
        run: bounded(LIMITS.testNameBytes),
        status: z.enum(TEST_STATUSES),
        problems: z.array(bounded(LIMITS.testProblemBytes)).max(LIMITS.testProblems),
      }),
    )
    .max(LIMITS.testResults),
  leftResources: z.array(bounded(LIMITS.testNameBytes)).max(LIMITS.testLeftResources),
});

const scan: z.ZodType<ScanResult> = z.object({
  status: z.enum(SCAN_STATUSES),
  shape: z.enum(DEPLOY_SHAPES).nullable(),
  hasStartCommand: z.boolean().nullable(),
  units: z.array(bounded(LIMITS.scanUnitBytes)).max(LIMITS.scanUnits),
  summary: bounded(LIMITS.scanSummaryBytes).nullable(),
});

const sequence = z.int().min(1);
/** A folder of a source. */
const folder = z
  .string()
  .max(1000)
  .regex(/^[^\0]*$/);
const message: z.ZodType<JobMessage> = z.discriminatedUnion("type", [
  z.object({ sequence, type: z.literal("restored") }),
  z.object({ sequence, type: z.literal("prepared") }),
  z.object({ sequence, type: z.literal("testing") }),
  z.object({ sequence, type: z.literal("tested"), tests }),
  z.object({ sequence, type: z.literal("scanned"), scan }),
  z.object({ sequence, type: z.literal("initialized"), moduleFolders: z.array(folder).max(1000).optional() }),
  z.object({ sequence, type: z.literal("planned"), plan }),
  z.object({ sequence, type: z.literal("applied"), appliedAddresses: z.array(text), ...results }),
  z.object({ sequence, type: z.literal("performed") }),
  z.object({ sequence, type: z.literal("failed"), failure }),
  z.object({ sequence, type: z.literal("stopped"), failure: failure.optional() }),
  z.object({ sequence, type: z.literal("timedOut"), failure }),
  z.object({ sequence, type: z.literal("handedBack") }),
]);

const counted = z.int().min(0).max(LIMITS.progressCount);
const progress: z.ZodType<ProgressReport> = z.object({
  sequence: z.int32().min(1),
  total: counted.nullable(),
  done: counted,
  failed: counted,
  current: z
    .array(
      z.object({
        address: z.string().min(1).max(LIMITS.addressLength),
        action: z.enum(PROGRESS_ACTIONS),
        startedAt: z.iso.datetime({ precision: 3 }),
      }),
    )
    .max(LIMITS.resourcesAtWorkShown),
  currentCount: counted,
});

const lockInfo: z.ZodType<LockInfo> = z.object({
  ID: name,
  Operation: text,
  Info: text,
  Who: text,
  Version: text,
  Created: text,
  Path: text,
});

/** The parsed fields of a state; its resources are counted without parsing them. */
const state: z.ZodType<Omit<StateDocument, "resourceCount">> = z
  .object({
    serial: writtenSerial,
    lineage: z.string().min(1).max(LIMITS.lineageLength),
    outputs: z.record(z.string(), z.object({ value: json, sensitive: z.boolean().default(false) })).nullish(),
  })
  .transform(({ outputs, ...rest }) => ({ ...rest, outputs: outputs ?? {} }));

/** Throws MALFORMED, naming the first field that is wrong. */
export function parser<T>(schema: z.ZodType<T>): (value: unknown) => T {
  return (value) => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    throw new JobError("MALFORMED", `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is malformed"}`);
  };
}

export const parseClaim = parser(claim);
export const parseCheckRequestClaim = parser(checkRequestClaim);
export const parseCheckRequestReport = parser(checkRequestReport);
export const parseHeartbeat = parser(heartbeat);
export const parseLogPlace = parser(logPlace);
export const parseMasks = parser(masks);
export const parseMessage = parser(message);
export const parseProgress = parser(progress);
export const parseLockInfo = parser(lockInfo);
export const parseTruncated = parser(truncated);
export const parseState = parser(state);

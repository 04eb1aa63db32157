/** Parses the requests of runners that probe the health of targets. */
import { z } from "zod";
import { HEALTH_LIMITS } from "../model/health/health-limits.ts";
import type { HealthReport } from "../model/health/prober-desk.ts";
import { TARGET_STANDINGS, type TargetState } from "../model/health/target-state.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { PROBE_FAILURES } from "../model/probe/probe-sample.ts";
import type { ClaimingRunner } from "../model/runner/runner.ts";
import { claimingRunner, engineOfRunner, parser } from "./parse.ts";
import type { TargetsClaim } from "./wire.ts";

const { shards: shardCount, samplesPerBucket, reportEntries, reasonLength } = HEALTH_LIMITS;
/** The highest number of probes a second that a runner offers. */
const MOST_PER_SECOND = 100_000;
const INSTANT_LENGTH = 40;
/** Four bytes a sample, in base64. */
const BUCKET_LENGTH = Math.ceil((samplesPerBucket * 4) / 3) * 4;

const proberId = z.string().min(16).max(100);
const number = z.int32().min(0);
const targetId = z.int().min(1);
const shard = { shard: number.max(shardCount - 1), fence: number };
const instant = z.string().max(INSTANT_LENGTH);

const claim: z.ZodType<TargetsClaim & { runner: ClaimingRunner }> = z.object({
  runner: claimingRunner,
  engine: engineOfRunner.nullable(),
  proberId,
  perSecond: z.number().positive().max(MOST_PER_SECOND).nullable(),
  shards: z.array(z.object({ ...shard, version: number })).max(shardCount),
});

const state: z.ZodType<TargetState> = z.object({
  standing: z.enum(TARGET_STANDINGS),
  samples: number.max(100),
  badInARow: number.max(100),
  goodInARow: number.max(100),
  blindInARow: number.max(100),
  slowInARow: number.max(100),
  fastInARow: number.max(100),
  openInARow: number.max(100),
  slow: z.boolean(),
  certificateEnds: z.boolean(),
  failure: z.enum(PROBE_FAILURES).nullable(),
  reason: z
    .string()
    .max(reasonLength)
    .transform((value) => value.replaceAll("\0", "").toWellFormed())
    .nullable(),
});

const report: z.ZodType<HealthReport> = z.object({
  proberId,
  shards: z.array(z.object(shard)).max(shardCount),
  changes: z.array(z.object({ targetId, at: instant, state, latencyMs: number.nullable() })).max(reportEntries),
  buckets: z.array(z.object({ targetId, from: instant, samples: z.base64().max(BUCKET_LENGTH) })).max(reportEntries),
});

export const parseTargetsClaim = parser(claim);
export const parseHealthReport = parser(report);
export const parseProberId = parser(z.object({ proberId }));
/** The most bytes of a report: each entry may have some 1.5 KiB. */
export const HEALTH_REPORT_BYTES = 16 * LIMITS.requestBytes;

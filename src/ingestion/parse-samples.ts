/** Parses the requests of runners that sample probes. */
import { z } from "zod";
import { LIMITS } from "../model/kit/limits.ts";
import { PROBE_LIMITS } from "../model/probe/probe-limits.ts";
import { PROBE_FAILURES } from "../model/probe/probe-sample.ts";
import { VERIFICATION_LIMITS } from "../model/workspace/verification-limits.ts";
import type { ClaimingRunner } from "../model/runner/runner.ts";
import { claimOfWork, parser } from "./parse.ts";
import type { SamplingClaim, SamplingReport } from "./wire.ts";

const { probesPerWorkspace, targetsPerProbe, probeNameLength, targetLength, reasonLength } = PROBE_LIMITS;
const number = z.int32().min(0);
const clean = (value: string): string => value.replaceAll("\0", "").toWellFormed();

const sample = z
  .object({
    ok: z.boolean(),
    latencyMs: number.nullable(),
    failure: z.enum(PROBE_FAILURES).nullable(),
    reason: z.string().max(reasonLength).transform(clean).nullable(),
  })
  .refine(({ ok, failure, reason }) => ok === (failure === null) && ok === (reason === null), {
    message: "must have a failure and a reason if it is not ok, and none if it is",
  });

const report: z.ZodType<SamplingReport> = z.object({
  id: z.string().min(1).max(200),
  fence: z.int32().min(1),
  token: z.string().max(200),
  samples: z
    .array(
      z.object({
        name: z.string().max(probeNameLength),
        target: number.max(targetsPerProbe),
        resolvedTarget: z.string().max(targetLength).nullable(),
        samples: z.array(sample).max(VERIFICATION_LIMITS.baselineTries),
      }),
    )
    .max(probesPerWorkspace * targetsPerProbe),
});

const claim: z.ZodType<SamplingClaim & { runner: ClaimingRunner }> = claimOfWork;

export const parseSamplingClaim = parser(claim);
export const parseSamplingReport = parser(report);
/** The most bytes of a report: reasons have up to three bytes a character, and JSON escapes them. */
export const SAMPLING_REPORT_BYTES = 8 * LIMITS.requestBytes;

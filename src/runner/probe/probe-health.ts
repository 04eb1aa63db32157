/** Probes the health of what was applied in the network of the runner, for as long as the runner works. */
import { z } from "zod";
import type { RunnerSelf, TargetsClaim } from "../../ingestion/wire.ts";
import {
  type LeaseAnswer,
  type ProberDesk,
  REPORT_REFUSALS,
  type ReportAnswer,
} from "../../model/health/prober-desk.ts";
import { TARGET_STANDINGS, type TargetState } from "../../model/health/target-state.ts";
import type { EngineVersion } from "../../model/plan/plan.ts";
import { PROBE_FAILURES } from "../../model/probe/probe-sample.ts";
import type { Prober } from "../../model/probe/prober.ts";
import { startHealthProbing } from "../../probing/start-health-probing.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import { ProtocolRefusal, readBody, sendOnce } from "../server/server-request.ts";
import { probeRequestSchema } from "./samples-schema.ts";

export interface HealthProbing {
  serverUrl: string;
  token: string;
  /** The runner, as it introduces itself. */
  runner: { runner: RunnerSelf; engine: EngineVersion | null };
  perSecond: number;
  prober: Pick<Prober, "probe">;
  /** Random: the name of this prober. */
  proberId: string;
  limits: Pick<RunnerLimits, "healthRequestMs">;
  log: RunnerLog;
}

const count = z.int();
const stateSchema: z.ZodType<TargetState> = z.object({
  standing: z.enum(TARGET_STANDINGS),
  samples: count,
  badInARow: count,
  goodInARow: count,
  blindInARow: count,
  slowInARow: count,
  fastInARow: count,
  openInARow: count,
  slow: z.boolean(),
  certificateEnds: z.boolean(),
  failure: z.enum(PROBE_FAILURES).nullable(),
  reason: z.string().nullable(),
});

const targetSchema = z.object({
  id: z.int(),
  intervalMs: z.number().positive(),
  phase: z.number(),
  bucketOffsetMs: z.number(),
  request: probeRequestSchema,
  state: stateSchema,
  absent: z.boolean(),
  sampledAt: z.string().nullable(),
});

const leaseSchema: z.ZodType<LeaseAnswer> = z.object({
  at: z.iso.datetime(),
  leaseMs: z.number().positive(),
  shards: z.array(z.object({ shard: count, fence: count, version: count, targets: z.array(targetSchema).nullable() })),
  more: z.boolean().optional(),
  held: z.array(z.int()),
});

const reportSchema: z.ZodType<ReportAnswer> = z.object({
  at: z.iso.datetime(),
  refused: z.array(z.object({ targetId: z.int(), refusal: z.enum(REPORT_REFUSALS) })),
  refusedBuckets: count,
});

/** Probes until it is disposed; then all targets are given back. */
export function startRunnerHealth(probing: HealthProbing): AsyncDisposable {
  const { perSecond, prober, proberId, log } = probing;
  let isTold = false;
  return startHealthProbing({
    desk: remoteDesk(probing),
    prober,
    proberId,
    perSecond,
    onError(error) {
      // A server that is away is reported by the claims of jobs.
      if (!(error instanceof ProtocolRefusal) || isTold) return log.debug({ err: error }, "Health was not reported");
      isTold = true;
      log.error({ err: error }, "The server refuses to share the targets of health with this runner");
    },
  });
}

/** The server's side of the work, over the protocol. */
function remoteDesk({ serverUrl, token, runner, limits }: HealthProbing): ProberDesk {
  const post = async (path: string, body: object): Promise<unknown> => {
    const signal = AbortSignal.timeout(limits.healthRequestMs);
    const response = await sendOnce(serverUrl, {
      method: "POST",
      path: `probes/${path}`,
      token,
      body: JSON.stringify(body),
      contentType: "application/json",
      timeoutMs: limits.healthRequestMs,
      signal,
    });
    const text = Buffer.from(await readBody(response, signal)).toString();
    const answer: unknown = text === "" ? null : JSON.parse(text);
    return answer;
  };
  return {
    lease: async (request) =>
      leaseSchema.parse(
        await post("lease", { ...request, shards: [...request.shards], ...runner } satisfies TargetsClaim),
      ),
    report: async (report) => reportSchema.parse(await post("report", report)),
    leave: async (proberId) => void (await post("leave", { proberId })),
  };
}

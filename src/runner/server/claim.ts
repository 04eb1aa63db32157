import { z } from "zod";
import type { ClaimAnswer, ClaimRequest, Job } from "../../ingestion/wire.ts";
import { RUN_KINDS, RUN_LEGS } from "../../model/lifecycle/run-kind.ts";
import { HOOK_PURPOSES, HOOK_STAGES } from "../../model/workspace/hook.ts";
import { TEST_MODES } from "../../model/workspace/test-mode.ts";
import { readBody, sendOnce } from "./server-request.ts";

const engineSchema = z.object({ name: z.string(), version: z.string() });

const variableSchema = z.object({
  key: z.string(),
  value: z.string(),
  sensitive: z.boolean(),
  category: z.enum(["ENGINE", "ENVIRONMENT"]),
  hcl: z.boolean(),
});

const unlockSchema = z.object({
  stateLock: z
    .object({ id: z.string(), who: z.string(), operation: z.string(), since: z.string(), runId: z.string().nullable() })
    .nullable(),
  interruption: z.object({ runId: z.string().nullable(), since: z.string() }).nullable(),
});

export const jobSchema = z.object({
  id: z.string(),
  token: z.string(),
  runToken: z.string().nullish(),
  documentKey: z.string().nullish(),
  run: z.object({ id: z.string(), number: z.int(), kind: z.enum(RUN_KINDS) }),
  workspace: z.object({ id: z.string(), name: z.string(), organization: z.string() }),
  leg: z.enum(RUN_LEGS),
  leaseMs: z.number().positive(),
  heartbeatMs: z.number().positive(),
  nextLine: z.int().min(1),
  logBytes: z.int().min(0),
  targets: z.array(z.string()),
  replace: z.array(z.string()),
  refreshOnly: z.boolean(),
  secrets: z.array(z.string()),
  variables: z.array(variableSchema),
  source: z.object({ digest: z.string() }).nullable(),
  stateSerial: z.int(),
  plan: z.object({ version: z.int(), digest: z.string(), engine: engineSchema }).nullable(),
  command: z.string().nullable(),
  rollback: z.boolean(),
  workFolder: z.string().optional(),
  unlock: unlockSchema.nullable(),
  hooks: z.array(
    z.object({ stage: z.enum(HOOK_STAGES), purpose: z.enum(HOOK_PURPOSES).optional(), command: z.string() }),
  ),
  tests: z.enum(TEST_MODES).optional(),
}) satisfies z.ZodType<Job>;

const answerSchema = z.object({ job: jobSchema.nullable(), directive: z.enum(["CYCLE"]).optional() });

const NO_WORK = 204;
/** Time for the answer after the wait of the server has ended. */
const SLACK_MS = 15_000;

/** Claims a job, once; `job` is `null` if there was none in time. Throws as `sendOnce` does. */
export async function claimJob(
  server: { url: string; token: string },
  request: ClaimRequest,
  signal: AbortSignal,
): Promise<ClaimAnswer> {
  const response = await sendOnce(server.url, {
    method: "POST",
    path: "claim",
    token: server.token,
    body: JSON.stringify(request),
    contentType: "application/json",
    timeoutMs: request.waitMs + SLACK_MS,
    signal,
  });
  const body = Buffer.from(await readBody(response, signal));
  return response.status === NO_WORK ? { job: null } : answerSchema.parse(JSON.parse(body.toString()));
}

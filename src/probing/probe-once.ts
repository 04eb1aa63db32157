/** Sends the request of a probe once, and judges the answer. */
import { graphqlProblem, httpProblem, latencySample, type ProbeAnswer } from "../model/probe/judge-answer.ts";
import { PROBE_LIMITS } from "../model/probe/probe-limits.ts";
import type { GraphqlProbeRequest, HttpProbeRequest, ProbeRequest } from "../model/probe/probe-request.ts";
import { failedSample, type ProbeSample } from "../model/probe/probe-sample.ts";
import type { AnswerEvaluator, ExpressionOutcome } from "../model/probe/prober.ts";
import { probeTcp, probeTls } from "./connect.ts";
import { sampleOfError } from "./failure-of-error.ts";
import type { ConnectionRules } from "./connection-rules.ts";
import { startDeadline } from "./deadline.ts";
import { type HttpMessage, sendHttp, type SendTools } from "./send-http.ts";

export interface ProbeTools extends ConnectionRules {
  evaluator: Pick<AnswerEvaluator, "evaluate">;
  clock: () => Date;
  /** Milliseconds of a clock that does not jump. */
  now: () => number;
  signal?: AbortSignal | undefined;
}

/**
 * Sends a request, with all bounds of probes: time, bytes, redirects, addresses. Every failure of the target is a sample.
 * Rejects only if `signal` aborts.
 */
export async function probeOnce(request: ProbeRequest, tools: ProbeTools): Promise<ProbeSample> {
  tools.signal?.throwIfAborted();
  const ms = Math.min(request.timeoutMs, PROBE_LIMITS.timeoutMs.most);
  using deadline = startDeadline(ms, tools.signal);
  try {
    return await perform(request, tools, { ...tools, signal: deadline.signal });
  } catch (error) {
    tools.signal?.throwIfAborted();
    if (deadline.signal.aborted) return failedSample("TIMEOUT", `There was no whole answer within ${ms} ms.`);
    return sampleOfError(error);
  }
}

function perform(request: ProbeRequest, tools: ProbeTools, send: SendTools): Promise<ProbeSample> {
  switch (request.kind) {
    case "HTTP":
      return probeHttp(request, tools, send);
    case "GRAPHQL":
      return probeGraphql(request, tools, send);
    case "TCP":
      return probeTcp(request, send);
    case "TLS":
      return probeTls(request, send, tools.clock());
  }
}

/** Tries each address until one answers well. The last failure is that of the probe. */
async function probeHttp(request: HttpProbeRequest, tools: ProbeTools, send: SendTools): Promise<ProbeSample> {
  let sample = failedSample("UNRESOLVED", "The probe has no address.");
  for (const url of request.urls) {
    try {
      const answer = await sendHttp({ ...request, url }, send);
      sample = await judge(request, answer, tools);
    } catch (error) {
      if (send.signal.aborted) throw error;
      sample = sampleOfError(error);
    }
    if (sample.ok) return sample;
    // Another path of the same host is refused as well.
    if (sample.failure === "ADDRESS_REFUSED") return sample;
  }
  return sample;
}

async function probeGraphql(request: GraphqlProbeRequest, tools: ProbeTools, send: SendTools): Promise<ProbeSample> {
  const { url, headers, body, followRedirects } = request;
  const ofJson = [
    { name: "accept", value: "application/graphql-response+json, application/json" },
    { name: "content-type", value: "application/json" },
  ];
  const message: HttpMessage = { method: "POST", url, headers: [...ofJson, ...headers], body, followRedirects };
  return judge(request, await sendHttp(message, send), tools);
}

async function judge(
  { kind, expect }: HttpProbeRequest | GraphqlProbeRequest,
  answer: ProbeAnswer,
  { evaluator, signal }: ProbeTools,
): Promise<ProbeSample> {
  const { latencyMs } = answer;
  const problem = kind === "HTTP" ? httpProblem(expect, answer) : graphqlProblem(expect, answer);
  if (problem !== null) return failedSample(problem.failure, problem.reason, latencyMs);
  if (expect.expression !== null) {
    const outcome = await evaluator.evaluate(expect.expression, answer, signal);
    if (outcome !== "TRUE") return failedSample("EXPRESSION", EXPRESSION_REASONS[outcome], latencyMs);
  }
  return latencySample(expect, latencyMs);
}

/** The texts of the library may hold parts of the answer. */
const EXPRESSION_REASONS: Readonly<Record<Exclude<ExpressionOutcome, "TRUE">, string>> = {
  FALSE: "The expression is false for the answer.",
  ERROR: "The expression cannot be evaluated on the answer: a key is missing, or a value has another type.",
  LIMIT: `The expression took more than ${PROBE_LIMITS.expression.cpuMs} ms of CPU time, or too much memory.`,
};

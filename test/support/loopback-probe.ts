/** Probes of targets on this machine. */
import type { ProbeRequest } from "../../src/model/probe/probe-request.ts";
import type { ProbeSample } from "../../src/model/probe/probe-sample.ts";
import { probeOnce, type ProbeTools } from "../../src/probing/probe-once.ts";

/** Sends a probe. Each expression is true, unless a tool is another one. */
export function probe(request: ProbeRequest, tools: Partial<ProbeTools> = {}): Promise<ProbeSample> {
  return probeOnce(request, {
    allowed: [{ type: "network", address: "127.0.0.1", prefix: 32, port: null }],
    evaluator: { evaluate: () => Promise.resolve("TRUE") },
    clock: () => new Date("2026-11-26T00:00:00Z"),
    now: () => performance.now(),
    ...tools,
  });
}

export const local = (port: number, path = "/"): string => `http://127.0.0.1:${port}${path}`;

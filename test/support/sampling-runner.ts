/** A runner that takes the probes of verifications by the protocol, and reports what the test says. */
import { randomUUID } from "node:crypto";
import type { SamplingAnswer } from "../../src/ingestion/wire.ts";
import { passedSample, type ProbeSample } from "../../src/model/probe/probe-sample.ts";
import { RUNNER_SELF } from "./fake-runner.ts";
import { send } from "./send.ts";

export interface SamplingRunner {
  /** Asks for probes once; `null` if there are none. */
  lease(input?: { leaseId?: string; waitMs?: number; draining?: boolean }): Promise<SamplingAnswer | null>;
  /** The status of the answer to any request. */
  post(path: "lease" | "report", body: object): Promise<{ status: number; text: string }>;
  /** Reports one sample of each target; returns the status. */
  report(work: SamplingAnswer, sample?: ProbeSample): Promise<number>;
}

export function samplingRunnerOf(url: string, token: string, name = "inside"): SamplingRunner {
  const post: SamplingRunner["post"] = (path, body) =>
    send(`${url}/runner/v1/verifications/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    post,
    async lease({ leaseId = randomUUID(), waitMs = 0, draining = false } = {}) {
      const runner = { ...RUNNER_SELF, name, draining };
      const { status, text } = await post("lease", { leaseId, runner, engine: null, waitMs });
      if (status === 204) return null;
      if (status !== 200) throw new Error(`${status} ${text}`);
      const work: SamplingAnswer = JSON.parse(text);
      return work;
    },
    async report({ id, fence, token: own, requests, commands }, sample = passedSample(2)) {
      const samples = [...requests, ...commands].map(({ name: probe, target, resolvedTarget }) => {
        return { name: probe, target, resolvedTarget, samples: [sample] };
      });
      return (await post("report", { id, fence, token: own, samples })).status;
    },
  };
}

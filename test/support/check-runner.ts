/** A runner that takes requests of external checks by the protocol, and sends them as the test says. */
import { randomUUID } from "node:crypto";
import type { CheckRequestAnswer } from "../../src/ingestion/wire.ts";
import { RUNNER_SELF } from "./fake-runner.ts";
import { send } from "./send.ts";

export interface CheckRunner {
  /** Asks for a request once; `null` if there is none. */
  lease(input?: { leaseId?: string; waitMs?: number }): Promise<CheckRequestAnswer | null>;
  /** The status of the answer to any request. */
  post(path: "lease" | "report", body: object): Promise<{ status: number; text: string }>;
  /** Sends a request to its service; returns the status. */
  deliver(request: CheckRequestAnswer): Promise<number>;
  /** Reports an answer; returns the status. */
  report(request: CheckRequestAnswer, answer?: { statusCode?: number | null; error?: string | null }): Promise<number>;
}

export function checkRunnerOf(url: string, token: string, name = "inside"): CheckRunner {
  const post: CheckRunner["post"] = (path, body) =>
    send(`${url}/runner/v1/check-requests/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    post,
    async lease({ leaseId = randomUUID(), waitMs = 0 } = {}) {
      const { status, text } = await post("lease", { leaseId, runner: { ...RUNNER_SELF, name }, engine: null, waitMs });
      if (status === 204) return null;
      if (status !== 200) throw new Error(`${status} ${text}`);
      const request: CheckRequestAnswer = JSON.parse(text);
      return request;
    },
    async deliver({ url: address, headers, body }) {
      const { status } = await send(address, { method: "POST", headers, body });
      return status;
    },
    async report({ id, fence }, { statusCode = 200, error = null } = {}) {
      const { status } = await post("report", { id, fence, statusCode, error });
      return status;
    },
  };
}

/** Serves tests of addresses until `work` is done: each is sent to its service, and its answer is reported. */
export async function serveTests<T>(runner: CheckRunner, work: () => Promise<T>): Promise<T> {
  await runner.lease();
  const stop = new AbortController();
  const serving = (async () => {
    while (!stop.signal.aborted) {
      const request = await runner.lease({ waitMs: 100 });
      if (request !== null) await runner.report(request, { statusCode: await runner.deliver(request) });
    }
  })();
  try {
    return await work();
  } finally {
    stop.abort();
    await serving;
  }
}

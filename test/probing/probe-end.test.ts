/** How a probe ends before its answer: it was stopped, or has waited for as long as probes may take. */
import { expect, test, vi } from "vitest";
import { PROBE_LIMITS } from "../../src/model/probe/probe-limits.ts";
import type { ExpressionOutcome } from "../../src/model/probe/prober.ts";
import { waitUntil } from "../support/eventually.ts";
import { local, probe } from "../support/loopback-probe.ts";
import { expectation, httpRequest, httpTarget, rawTarget } from "../support/probe-targets.ts";

test("a stop while an expression is evaluated leaves the other paths alone", async () => {
  const { port, connections } = await httpTarget((_request, response) => void response.end());
  const stop = new AbortController();
  const evaluate = (): Promise<ExpressionOutcome> => {
    stop.abort(new Error("stopped"));
    return Promise.resolve("FALSE");
  };
  const urls = ["/a", "/b"].map((path) => local(port, path));
  const request = httpRequest("", { urls, expect: expectation({ expression: "x" }) });
  await expect(probe(request, { evaluator: { evaluate }, signal: stop.signal })).rejects.toThrow("stopped");
  expect(connections()).toBe(1);
});

test("a probe that was stopped before connects to nothing", async () => {
  const { port, connections } = await httpTarget((_request, response) => void response.end());
  const signal = AbortSignal.abort(new Error("stopped"));
  await expect(probe(httpRequest(local(port)), { signal })).rejects.toThrow("stopped");
  expect(connections()).toBe(0);
});

test("waits no longer than probes may take, whatever a request asks for", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { most } = PROBE_LIMITS.timeoutMs;
    const { port, connections } = await rawTarget(() => undefined);
    const sample = probe(httpRequest(local(port), { timeoutMs: 2 * most }));
    await waitUntil(() => connections() === 1);
    vi.advanceTimersByTime(most);
    expect(await sample).toMatchObject({ failure: "TIMEOUT", reason: expect.stringContaining(`${most} ms`) });
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

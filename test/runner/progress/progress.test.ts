import { describe, expect, test, vi } from "vitest";
import type { ProgressReport } from "../../../src/ingestion/wire.ts";
import type { EngineEvent } from "../../../src/runner/engine/engine-event.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { parsePlanJson } from "../../../src/runner/plan/plan-json.ts";
import { EngineProgress, managedInstances, plannedOperations } from "../../../src/runner/progress/engine-progress.ts";
import { ProgressShipper } from "../../../src/runner/progress/progress-shipper.ts";
import { ProtocolRefusal, ServerAway } from "../../../src/runner/server/server-request.ts";

const AT = "2026-11-21T10:00:00.000Z";
const event = (type: string, addr: string, action?: string): EngineEvent => ({
  "@message": "",
  type,
  hook: { resource: { addr }, ...(action !== undefined && { action }) },
});

describe("what the engine's events say", () => {
  const shown = (progress: EngineProgress, limit = 20) => progress.snapshot((address) => address, limit);

  test("of an apply: a resource that is replaced counts once, when both halves are done", () => {
    const change = (address: string, ...actions: string[]) => ({ address, type: "t", name: "n", change: { actions } });
    const { plan } = parsePlanJson(
      JSON.stringify({
        format_version: "1.2",
        resource_changes: [
          change("t.replaced", "delete", "create"),
          change("t.new", "create"),
          change("t.same", "no-op"),
          change("t.forgotten", "forget"),
          change("data.t.read", "read"),
          // Deposed objects have the address of what took their place.
          { ...change("t.new", "delete"), deposed: "ab12" },
        ],
      }),
    );
    const progress = new EngineProgress(plannedOperations(plan));
    expect(shown(progress)).toEqual({ total: 3, done: 0, failed: 0, current: [], currentCount: 0 });
    progress.note(event("apply_start", "t.replaced", "delete"), AT);
    progress.note(event("apply_start", "data.t.read", "read"), AT);
    expect(shown(progress, 1)).toMatchObject({
      current: [{ address: "t.replaced", action: "DELETE", startedAt: AT }],
      currentCount: 2,
    });
    progress.note(event("apply_complete", "t.replaced", "delete"), AT);
    expect(shown(progress)).toMatchObject({ done: 0, currentCount: 1 });
    progress.note(event("apply_start", "t.replaced", "create"), AT);
    progress.note(event("apply_complete", "t.replaced", "create"), AT);
    expect(progress.note(event("apply_errored", "data.t.read", "read"), AT)).toBe(true);
    expect(shown(progress)).toEqual({ total: 3, done: 1, failed: 1, current: [], currentCount: 0 });
    expect(progress.note(event("apply_progress", "t.new", "create"), AT)).toBe(false);
    expect(progress.note({ "@message": "Apply complete!", type: "change_summary" }, AT)).toBe(false);
  });

  test("of a plan: the resources of the state, and those that come on top", () => {
    const progress = new EngineProgress(null);
    expect(shown(progress).total).toBeNull();
    const instances = [{}, {}];
    progress.expect(
      managedInstances({
        resources: [
          { mode: "managed", instances },
          { mode: "data", instances },
        ],
      }),
    );
    expect(shown(progress).total).toBe(2);
    for (const address of ["t.a", "t.b", "data.t.c"]) progress.note(event("refresh_start", address), AT);
    expect(shown(progress)).toMatchObject({ total: 3, currentCount: 3, current: [{ action: "REFRESH" }, {}, {}] });
    for (const address of ["t.a", "t.b", "data.t.c"]) progress.note(event("refresh_complete", address), AT);
    expect(shown(progress)).toEqual({ total: 3, done: 3, failed: 0, current: [], currentCount: 0 });
    expect([managedInstances(undefined), managedInstances({ resources: [7, { instances: null }] })]).toEqual([0, 0]);
  });
});

describe("reports of it", () => {
  const LIMITS = { progressMs: 2000, progressFirstMs: 250, progressShown: 20, progressAddressLength: 20 };

  /** Answers when the test says so. */
  function setUp() {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const sent: ProgressReport[] = [];
    const answers: PromiseWithResolvers<void>[] = [];
    const masker = new Masker(6);
    masker.add(["secret-key"]);
    const shipper = new ProgressShipper({
      client: {
        sendProgress(report) {
          sent.push(report);
          const answer = Promise.withResolvers<void>();
          answers.push(answer);
          return answer.promise;
        },
      },
      masker,
      clock: () => new Date(AT),
      limits: LIMITS,
    });
    const settle = async (act: (answer: PromiseWithResolvers<void>) => void) => {
      const answer = answers.shift();
      if (answer === undefined) throw new Error("Nothing was sent.");
      act(answer);
      await vi.advanceTimersByTimeAsync(0);
    };
    return { shipper, sent, settle, [Symbol.dispose]: () => void vi.useRealTimers() };
  }

  test("go one at a time, at most one in two seconds, only where something changed, the newest alone", async () => {
    using at = setUp();
    using shipper = at.shipper;
    shipper.begin(new EngineProgress(new Map([["t.a", 1]])));
    await vi.advanceTimersByTimeAsync(249);
    // Most commands of the engine that are over soon need no report of their beginning.
    expect(at.sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(at.sent).toMatchObject([{ sequence: 1, total: 1, currentCount: 0 }]);
    shipper.note(event("apply_start", "t.a", "create"));
    await vi.advanceTimersByTimeAsync(10_000);
    // The first one is still under way.
    expect(at.sent).toHaveLength(1);
    await at.settle((answer) => answer.resolve());
    expect(at.sent).toHaveLength(2);
    await at.settle((answer) => answer.reject(new ServerAway("away")));
    await vi.advanceTimersByTimeAsync(10_000);
    // What was lost is not sent again.
    expect(at.sent).toHaveLength(2);
    shipper.note(event("apply_start", 't.b["secret-key"]', "create"));
    await vi.advanceTimersByTimeAsync(0);
    expect(at.sent[2]?.current.map(({ address }) => address)).toEqual(["t.a", 't.b["(sensitive valu']);
    await at.settle((answer) => answer.resolve());
    shipper.note(event("apply_complete", "t.a", "create"));
    await vi.advanceTimersByTimeAsync(1999);
    expect(at.sent).toHaveLength(3);
    // At the end what is new is told at once.
    shipper.end();
    expect(at.sent[3]).toMatchObject({ sequence: 4, total: 2, done: 1, currentCount: 1 });
  });

  test("end where the server does not want them, or the job is over", async () => {
    using at = setUp();
    using shipper = at.shipper;
    shipper.begin(new EngineProgress(null));
    await vi.advanceTimersByTimeAsync(250);
    await at.settle((answer) => answer.reject(new ProtocolRefusal(409, Buffer.alloc(0))));
    shipper.note(event("refresh_start", "t.a"));
    await vi.advanceTimersByTimeAsync(2000);
    expect(at.sent).toHaveLength(2);
    await at.settle((answer) => answer.reject(new ProtocolRefusal(404, Buffer.alloc(0))));
    shipper.note(event("refresh_complete", "t.a"));
    shipper.end();
    await vi.advanceTimersByTimeAsync(2000);
    expect(at.sent).toHaveLength(2);
  });
});

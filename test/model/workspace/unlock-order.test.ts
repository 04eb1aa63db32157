import { expect, test } from "vitest";
import { describeBroken, describeHolders, type UnlockOrder } from "../../../src/model/workspace/unlock-order.ts";

const stateLock = { id: "4711", who: "ada@host", operation: "OperationTypeApply", since: "2026-11-20", runId: "run_1" };
const interruption = { runId: "run_1", since: "2026-11-21" };
const order = (more: Partial<UnlockOrder>): UnlockOrder => ({ stateLock: null, interruption: null, ...more });

test("each lock is a line, and all of them one reason", () => {
  expect(describeHolders(order({ stateLock, interruption }))).toEqual([
    'State lock 4711: held by ada@host, operation "OperationTypeApply", since 2026-11-20, run run_1.',
    "Workspace lock APPLY_INTERRUPTED: since 2026-11-21, run run_1.",
  ]);
  expect(describeBroken(order({ interruption }))).toBe(
    "Broken: Workspace lock APPLY_INTERRUPTED: since 2026-11-21, run run_1.",
  );
  expect(describeBroken(order({}))).toBe("There was no lock to break.");
});

test("holders without a name, and with one that is no name", () => {
  const [nameless = ""] = describeHolders(order({ stateLock: { ...stateLock, who: "" } }));
  expect(nameless).toContain("held by an unnamed client, ");
  const [endless = ""] = describeHolders(order({ stateLock: { ...stateLock, who: "x".repeat(100_000) } }));
  expect(endless.length).toBeLessThan(400);
});

test("what is not known is left out, and what is long is cut off", () => {
  const [line] = describeHolders(order({ stateLock: { ...stateLock, runId: null } }));
  expect(line).toBe('State lock 4711: held by ada@host, operation "OperationTypeApply", since 2026-11-20.');
  expect(describeHolders(order({ interruption: { ...interruption, runId: null } }))).toEqual([
    "Workspace lock APPLY_INTERRUPTED: since 2026-11-21.",
  ]);
  const named = (who: string): string => describeHolders(order({ stateLock: { ...stateLock, who } })).join();
  expect(named("x".repeat(200))).toContain(`held by ${"x".repeat(200)}, operation`);
  expect(named("x".repeat(201))).toContain(`held by ${"x".repeat(200)}…, operation`);
  expect(describeBroken(order({ stateLock, interruption }))).toBe(
    `Broken: ${describeHolders(order({ stateLock, interruption })).join(" ")}`,
  );
  expect(describeHolders(order({}))).toEqual([]);
});

/** Plans that change while a page without a network is used: no order of events approves a plan that was not in sight. */
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type ConsoleScene, openConsoleScene } from "./console-scene.ts";
import { playOrders } from "./random-orders.ts";

/** 200 by `npm run soak`. */
const ORDERS = inject("soaks") ? 200 : 12;
const SEED = Number(process.env["HOLDPOINT_SOAK_SEED"] ?? 20_261_129);

let scene: ConsoleScene;
beforeAll(async () => {
  scene = await openConsoleScene({ slots: 0, isFaulty: true });
});
afterAll(() => scene[Symbol.asyncDispose]());

it(`approves only what was in sight, in ${ORDERS} random orders of cuts, replans and clicks`, async () => {
  const { presses, approvals, answers, closedButtons } = await playOrders(scene, ORDERS, SEED);
  console.log(
    JSON.stringify({ seed: SEED, presses: presses.length, approvals: approvals.length, closedButtons, answers }),
  );
  // Each approval takes one press, with its plan in sight.
  const left = [...presses];
  const unseen = approvals.filter(({ runId, planVersion }) => {
    const at = left.findIndex((press) => press.runId === runId && press.dialog === planVersion);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  expect(unseen, `seed ${SEED}`).toEqual([]);
  // No button could be pressed beside another plan, or in a dialog that was opened for another plan.
  const torn = presses.filter(
    ({ opened, dialog, page, changes }) =>
      opened !== dialog || page !== dialog || (changes !== 0 && changes !== dialog) || dialog === 0,
  );
  expect(torn, `seed ${SEED}`).toEqual([]);
  // The orders were those that matter: some were approved, and among many some could not be sent, or came too late.
  expect(approvals.length).toBeGreaterThan(ORDERS / 20);
  if (ORDERS < 200) return;
  expect(answers["StalePlanError"] ?? 0).toBeGreaterThan(0);
  expect(closedButtons).toBeGreaterThan(0);
}, 1_200_000);

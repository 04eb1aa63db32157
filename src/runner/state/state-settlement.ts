import type { JobFolder } from "../job/job-folder.ts";
import type { SettleResult, StateDelivery } from "./state-delivery.ts";

/**
 * Delivers the newest state after the engine's end, also one that the engine left in its folder; else retains the folder.
 * A delivered file is removed, because the folder would count as one with an undelivered state.
 */
export async function settleState(folder: JobFolder, delivery: StateDelivery): Promise<SettleResult> {
  const settled = await delivery.settle(await folder.readErroredState());
  if (settled === null) await folder.removeErroredState();
  else folder.retain("its state was not delivered");
  return settled;
}

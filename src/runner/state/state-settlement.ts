import { rm } from "node:fs/promises";
import type { JobFolder } from "../job/job-folder.ts";
import type { SettleResult, StateDelivery } from "./state-delivery.ts";

/**
 * After the engine has ended: the server has the newest state, also where the engine could only leave it in its folder,
 * or the folder is kept. What was delivered is taken away, or the folder would be taken for one that holds a state.
 */
export async function settleState(folder: JobFolder, delivery: StateDelivery): Promise<SettleResult> {
  const settled = await delivery.settle(await folder.readErroredState());
  if (settled === null) await rm(folder.erroredStateFile, { force: true });
  else folder.retain("its state was not delivered");
  return settled;
}

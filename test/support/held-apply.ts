import type { Api } from "./api.ts";
import { Follower } from "./follower.ts";
import type { HeldWork } from "./held-work.ts";
import * as steps from "./run-steps.ts";

/** A run in the middle of its apply: terraform_data.first is made, terraform_data.second waits for `release`. */
export async function startHeldApply(api: Api, work: HeldWork, name: string) {
  const { path, release } = await work.heldApply(name);
  const workspace = await steps.createWorkspace(api, name, path);
  const run = await steps.createRun(api, workspace);
  const log = new Follower("runLog", run);
  const followed = log.connect(api);
  await steps.approveBoth(api, run);
  await log.until(({ lines }) => lines?.some(({ text }: { text: string }) => text.includes("waiting")));
  await log.leave();
  await followed;
  return { run, workspace, release };
}

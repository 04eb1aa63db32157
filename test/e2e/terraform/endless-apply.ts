import type { Api } from "../../support/api.ts";
import { approveBoth } from "../../support/run-steps.ts";
import { data, provisioner, type TestWorkspace } from "../holdpoint.ts";

/** Two resources, the second of which never comes to an end by itself; its log says "waiting" there. */
export const ENDLESS = {
  "main.tf": `${data("first", 'input = "made"')}${data(
    "second",
    `depends_on = [terraform_data.first]\n${provisioner("echo wait''ing; while :; do sleep 0.1; done")}`,
  )}`,
};

/** A run that applies, at the point where it waits for ever. */
export async function endlessApply(api: Api, workspace: TestWorkspace): Promise<string> {
  const runId = await workspace.createRun();
  await approveBoth(api, runId);
  await workspace.waitForLine(runId, "(local-exec): waiting");
  return runId;
}

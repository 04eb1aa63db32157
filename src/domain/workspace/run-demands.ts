import type { Demand } from "../access/command.ts";
import type { DriftSettingsInput } from "./drift-input.ts";
import type { ProbesInput } from "./probe-input.ts";
import type { HooksInput } from "./hook-input.ts";
import type { RunnerChoice } from "./runner-choice.ts";
import type { TriggerInput } from "./trigger-input.ts";

interface Settings extends RunnerChoice {
  hooks?: HooksInput;
  probes?: ProbesInput;
  trigger?: TriggerInput | null | undefined;
  drift?: DriftSettingsInput | null | undefined;
}

/** Returns the permissions for settings that decide what runs execute, and with whose credentials. */
export function runDemands({ hooks, probes, runnerPoolId, runnerLabels, trigger, drift }: Settings): Demand[] {
  const demands: Demand[] = [];
  if (hooks !== undefined) {
    demands.push({ permission: "HOOK_WRITE", words: "setting the hooks of a workspace" });
  }
  if (probes?.some(({ kind }) => kind === "COMMAND") === true) {
    demands.push({ permission: "HOOK_WRITE", words: "setting the commands that runners execute" });
  }
  if (runnerPoolId !== undefined || runnerLabels !== undefined) {
    demands.push({ permission: "RUNNER_CHOOSE", words: "choosing the runners of a workspace" });
  }
  if (trigger !== undefined || drift?.reconcile !== undefined) {
    demands.push({ permission: "RUN_DEPLOY", words: "setting what starts runs" });
  }
  return demands;
}

import type { RulesInput } from "../rules/rules-input.ts";
import type { DriftSettingsInput } from "./drift-input.ts";
import type { HooksInput } from "./hook-input.ts";
import type { ExpiryInput } from "./expiry-input.ts";
import type { LabelsInput } from "./label-input.ts";
import type { RunnerChoice } from "./runner-choice.ts";
import type { TriggerInput } from "./trigger-input.ts";
import type { LockScope } from "../../model/workspace/workspace.ts";
export interface WorkspaceSettingsInput extends RulesInput, RunnerChoice {
  lockScope?: LockScope | null | undefined;
  interruptApply?: boolean | null | undefined;
  tasksAllowed?: boolean | null | undefined;
  hooks?: HooksInput;
  labels?: LabelsInput;
  expiresAt?: ExpiryInput;
  trigger?: TriggerInput | null | undefined;
  drift?: DriftSettingsInput | null | undefined;
}

/** External checks as the API takes them, from their form. */
import type {
  CheckStage,
  EnforcementLevel,
  ExternalCheckRowFragment,
  PolicyErrorMode,
  WorkspaceSelectorInput,
} from "../generated/graphql.ts";
import { checkedOf, entriesOfField, numberOfField, textOfField, wholeTextOfField } from "../parts/field.ts";

/** When a check is asked; the compiler finds a stage that is missing. */
export const CHECK_STAGES: Readonly<Record<CheckStage, string>> = {
  PRE_PLAN: "Before the plan",
  POST_PLAN: "About the plan",
  PRE_APPLY: "Before the apply",
  POST_APPLY: "After the apply",
};
/** The effects of a failure; the compiler finds one that is missing. */
export const LEVELS: Readonly<Record<EnforcementLevel, string>> = {
  ADVISORY: "It is shown, and stops auto-apply",
  SOFT_MANDATORY: "The run waits until someone overrides it",
  MANDATORY: "The run is rejected",
};
/** The effects of an answer that is missing; the compiler finds one that is missing. */
export const ERROR_MODES: Readonly<Record<PolicyErrorMode, string>> = {
  FAIL_CLOSED: "That of a failure",
  ASK: "The run waits until someone overrides it",
  FAIL_OPEN: "It is shown",
};

const isStage = (value: string): value is CheckStage => Object.hasOwn(CHECK_STAGES, value);
const isLevel = (value: string): value is EnforcementLevel => Object.hasOwn(LEVELS, value);
const isErrorMode = (value: string): value is PolicyErrorMode => Object.hasOwn(ERROR_MODES, value);

/** Reads a check from its form. `before`: the check that is changed; what the form does not show of its selector stays. */
export function readCheck(form: HTMLFormElement, before?: ExternalCheckRowFragment) {
  const [level, onError] = [textOfField(form, "level"), textOfField(form, "onError")];
  return {
    name: textOfField(form, "name"),
    url: textOfField(form, "url"),
    stages: checkedOf(form, "stages").filter(isStage),
    level: isLevel(level) ? level : "SOFT_MANDATORY",
    onError: isErrorMode(onError) ? onError : "FAIL_CLOSED",
    progressSeconds: numberOfField(form, "progressSeconds") ?? 0,
    totalSeconds: numberOfField(form, "totalSeconds") ?? 0,
    estimatesCost: checkedOf(form, "flags").includes("estimatesCost"),
    selector: readSelector(form, before),
    viaPoolId: textOfField(form, "viaPoolId") || null,
    ...readKey(form),
  } as const;
}

function readSelector(form: HTMLFormElement, before?: ExternalCheckRowFragment): WorkspaceSelectorInput {
  const { kinds = null, workspaceIds = [], excludedWorkspaceIds = [] } = before?.selector ?? {};
  return {
    names: entriesOfField(form, "names"),
    labels: entriesOfField(form, "labels"),
    kinds,
    workspaceIds,
    excludedWorkspaceIds,
  };
}

/** Reads the key that signs requests. An empty field keeps the one that there is, which is never shown. */
function readKey(form: HTMLFormElement): { hmacKey?: string | null } {
  if (checkedOf(form, "flags").includes("unsigned")) return { hmacKey: null };
  const key = wholeTextOfField(form, "hmacKey");
  return key === "" ? {} : { hmacKey: key };
}

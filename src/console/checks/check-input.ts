/** External checks as the API takes them, from their form. */
import type { CheckStage, EnforcementLevel, ExternalCheckRowFragment, PolicyErrorMode } from "../generated/graphql.ts";
import { changedOf, checkedOf, entriesOfField, numberOfField, textOfField, wholeTextOfField } from "../parts/field.ts";

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

/** Reads a new check from its form. */
export const readCheck = (form: HTMLFormElement) => ({
  ...readSettings(form),
  selector: readSelector(form),
  ...readKey(form),
});

/** Reads what a person has changed of a check. What the form does not show of its selector stays. */
export function readChanges(form: HTMLFormElement, check: ExternalCheckRowFragment) {
  const { names, labels, kinds, workspaceIds, excludedWorkspaceIds } = check.selector;
  const changed = changedOf(form, readSelector(form));
  const selector = { names, labels, kinds, workspaceIds, excludedWorkspaceIds, ...changed };
  const isSelected = Object.keys(changed).length > 0;
  return { ...changedOf(form, readSettings(form)), ...(isSelected && { selector }), ...readKey(form) };
}

function readSettings(form: HTMLFormElement) {
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
    viaPoolId: textOfField(form, "viaPoolId") || null,
  } as const;
}

const readSelector = (form: HTMLFormElement) => ({
  names: entriesOfField(form, "names"),
  labels: entriesOfField(form, "labels"),
});

/** Reads the key that signs requests. An empty field keeps the one that there is, which is never shown. */
function readKey(form: HTMLFormElement): { hmacKey?: string | null } {
  if (checkedOf(form, "flags").includes("unsigned")) return { hmacKey: null };
  const key = wholeTextOfField(form, "hmacKey");
  return key === "" ? {} : { hmacKey: key };
}

/** Hooks of workspaces as the API takes them: from what it returns, and from forms. */
import type { HookInput, HookItemFragment, HookPurpose, HookStage } from "../generated/graphql.ts";
import { textOfField, wholeTextOfField } from "../parts/field.ts";

/** A hook with its place in the list as its name: hooks have no other one. */
export interface HookEntry extends HookItemFragment {
  readonly name: string;
}

/** Gives hooks with their places, from 1. */
export const entriesOf = (hooks: readonly HookItemFragment[]): HookEntry[] =>
  hooks.map(({ stage, purpose, command }, at) => ({ name: String(at + 1), stage, purpose, command }));

/** Converts a hook into what the API takes. */
export const hookInputOf = ({ stage, purpose, command }: HookEntry): HookInput => ({ stage, purpose, command });

/** When hooks are performed; the compiler finds a stage that is missing. */
export const STAGES: Readonly<Record<HookStage, string>> = {
  BEFORE_INIT: "Before the engine initializes",
  AFTER_INIT: "After the engine has initialized",
  BEFORE_PLAN: "Before a plan",
  AFTER_PLAN: "After a plan, before it is shown",
  BEFORE_APPLY: "Before an apply",
  AFTER_APPLY: "After an apply that succeeded",
  BEFORE_DESTROY: "Before everything is destroyed",
  AFTER_DESTROY: "After everything was destroyed",
};

/** The purposes of hooks; the compiler finds one that is missing. */
export const PURPOSES: Readonly<Record<HookPurpose, string>> = {
  GENERIC: "Anything else",
  DETECT: "It detects what the source contains",
  BUILD: "It builds an artifact",
  PUBLISH: "It publishes an artifact",
  ROLLOUT: "It rolls out what was applied",
};

const isStage = (value: string): value is HookStage => Object.hasOwn(STAGES, value);
const isPurpose = (value: string): value is HookPurpose => Object.hasOwn(PURPOSES, value);

/** Reads a hook from its form. Its place is that of the entry that is changed. */
export function readHook(form: HTMLFormElement): HookEntry {
  const [stage, purpose] = [textOfField(form, "stage"), textOfField(form, "purpose")];
  return {
    name: "",
    stage: isStage(stage) ? stage : "BEFORE_INIT",
    purpose: isPurpose(purpose) ? purpose : "GENERIC",
    command: wholeTextOfField(form, "command"),
  };
}

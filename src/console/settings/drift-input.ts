/** The checks for drift of a workspace: in words, and as the API takes them from forms. */
import type {
  DriftIgnoreRuleInput,
  DriftMode,
  DriftReconciliation,
  DriftSettingsItemFragment,
} from "../generated/graphql.ts";
import { changedOf, choiceOfField, textOfField } from "../parts/field.ts";

/** How checks look for drift; the compiler finds a mode that is missing. */
export const DRIFT_MODES: Readonly<Record<DriftMode, string>> = {
  PLAN: "By a plan: what a run would change",
  REFRESH_ONLY: "By a refresh: all that something else changed",
};

/** The reactions to drift; the compiler finds one that is missing. */
export const RECONCILIATIONS: Readonly<Record<DriftReconciliation, string>> = {
  OFF: "It is reported, and nothing else",
  PROPOSE: "A run undoes it once a person approves",
  AUTO_SAFE: "A run undoes it, without a person if it takes nothing away",
};

/** Changes that are no drift, with their place in the list as their name: they have no other one. */
export interface IgnoredEntry extends DriftIgnoreRuleInput {
  readonly name: string;
  readonly addressGlob: string;
}

/** Gives the changes that are no drift with their places, from 1. */
export const ignoredEntries = ({ ignore }: Pick<DriftSettingsItemFragment, "ignore">): IgnoredEntry[] =>
  ignore.map(({ addressGlob, attribute }, at) => ({ name: String(at + 1), addressGlob, attribute }));

/** Reads the checks for drift that a person has changed in a form. */
export const changedDrift = (form: HTMLFormElement) =>
  changedOf(form, {
    mode: choiceOfField(form, "mode", DRIFT_MODES),
    reconcile: choiceOfField(form, "reconcile", RECONCILIATIONS),
  });

/** Reads changes that are no drift. Their place is that of the entry that is changed. */
export const readIgnored = (form: HTMLFormElement): IgnoredEntry => ({
  name: "",
  addressGlob: textOfField(form, "addressGlob"),
  attribute: textOfField(form, "attribute"),
});

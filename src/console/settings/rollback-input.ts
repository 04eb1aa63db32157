/** The way back of a workspace: in words, and as the API takes it from forms. */
import type {
  RollbackGuardInput,
  RollbackGuardType,
  RollbackItemFragment,
  RollbackMode,
} from "../generated/graphql.ts";
import { changedOf, choiceOfField, textOfField } from "../parts/field.ts";

/** The reactions to an apply that does not pass; the compiler finds one that is missing. */
export const ROLLBACK_MODES: Readonly<Record<RollbackMode, string>> = {
  OFF: "Nothing is done",
  PROPOSE: "A run to go back waits for people",
  AUTO_SAFE: "A run goes back, without a person if it takes nothing away",
};

/** The kinds of guards; the compiler finds one that is missing. */
export const GUARD_TYPES: Readonly<Record<RollbackGuardType, string>> = {
  OUTPUT: "An output",
  VARIABLE: "A variable for the engine",
};

/** A guard with its place in the list as its name: an output and a variable may have the same one. */
export interface GuardEntry {
  readonly name: string;
  readonly guard: RollbackGuardInput;
}

/** Gives guards with their places, from 1. */
export const guardEntries = ({ guards }: Pick<RollbackItemFragment, "guards">): GuardEntry[] =>
  guards.map(({ type, name }, at) => ({ name: String(at + 1), guard: { type, name } }));

/** Reads the mode of a form, if a person has changed it. */
export const changedRollback = (form: HTMLFormElement) =>
  changedOf(form, { mode: choiceOfField(form, "mode", ROLLBACK_MODES) });

/** Reads a guard from its form. Its place is that of the entry that is changed. */
export const readGuard = (form: HTMLFormElement): GuardEntry => ({
  name: "",
  guard: { type: choiceOfField(form, "type", GUARD_TYPES) ?? "OUTPUT", name: textOfField(form, "name") },
});

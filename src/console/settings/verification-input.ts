/** The verification of applies of a workspace: in words, and as the API takes it from its form. */
import type { DestroyVerification, InconclusiveAction } from "../generated/graphql.ts";
import { changedOf, choiceOfField, numberOfField } from "../parts/field.ts";

/** The consequences of a verification without a result; the compiler finds one that is missing. */
export const INCONCLUSIVE: Readonly<Record<InconclusiveAction, string>> = {
  ASK: "The run waits until a person judges it",
  FAIL: "The run fails, and does not go back",
  PASS: "The run ends as one that passed",
};

/** The verifications of destroys; the compiler finds one that is missing. */
export const AFTER_DESTROY: Readonly<Record<DestroyVerification, string>> = {
  NONE: "There is none",
  EXPECT_GONE: "The targets must not answer any more",
};

/** Reads the settings of verifications that a person has changed in a form. */
export const changedVerification = (form: HTMLFormElement) =>
  changedOf(form, {
    initialDelaySeconds: numberOfField(form, "initialDelaySeconds"),
    intervalSeconds: numberOfField(form, "intervalSeconds"),
    windowSeconds: numberOfField(form, "windowSeconds"),
    successesInARow: numberOfField(form, "successesInARow"),
    failFastAfter: numberOfField(form, "failFastAfter"),
    onInconclusive: choiceOfField(form, "onInconclusive", INCONCLUSIVE),
    afterDestroy: choiceOfField(form, "afterDestroy", AFTER_DESTROY),
  });

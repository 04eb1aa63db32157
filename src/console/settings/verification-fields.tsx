import type { VerificationItemFragment } from "../generated/graphql.ts";
import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { choicesWith } from "../parts/words.ts";
import { AFTER_DESTROY, INCONCLUSIVE } from "./verification-input.ts";

/** The fields of how the applies of a workspace are verified. */
export function VerificationFields({ settings }: { settings: VerificationItemFragment }) {
  const { onInconclusive, afterDestroy } = settings;
  return (
    <>
      <TextField
        name="initialDelaySeconds"
        label="Seconds from the apply to the first probes"
        type="number"
        required
        min={0}
        defaultValue={settings.initialDelaySeconds}
      />
      <TextField
        name="intervalSeconds"
        label="Seconds between two rounds of probes"
        type="number"
        required
        min={1}
        defaultValue={settings.intervalSeconds}
      />
      <TextField
        name="windowSeconds"
        label="Seconds from the first probes to the end"
        type="number"
        required
        min={1}
        defaultValue={settings.windowSeconds}
      />
      <TextField
        name="successesInARow"
        label="Passes in a row that each required probe needs"
        type="number"
        required
        min={1}
        defaultValue={settings.successesInARow}
      />
      <TextField
        name="failFastAfter"
        label="Failures in a row of one required probe that end it early"
        type="number"
        min={1}
        hint="None do, if you leave it empty."
        defaultValue={settings.failFastAfter ?? ""}
      />
      <ChoiceField
        name="onInconclusive"
        label="Without a result"
        choices={choicesWith(INCONCLUSIVE, onInconclusive)}
        defaultValue={onInconclusive}
      />
      <ChoiceField
        name="afterDestroy"
        label="After a destroy"
        choices={choicesWith(AFTER_DESTROY, afterDestroy)}
        defaultValue={afterDestroy}
      />
    </>
  );
}

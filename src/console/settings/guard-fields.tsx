import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { GUARD_TYPES, type GuardEntry } from "./rollback-input.ts";

/** The fields of a new guard, or of one that is changed. */
export function GuardFields({ entry }: { entry?: GuardEntry }) {
  return (
    <>
      <ChoiceField
        name="type"
        label="Kind"
        choices={Object.entries(GUARD_TYPES)}
        defaultValue={entry?.guard.type ?? "OUTPUT"}
      />
      <TextField
        name="name"
        label="Name"
        required
        placeholder="schema_version"
        hint="If it is another one now than after the earlier run, the run to go back waits for people."
        defaultValue={entry?.guard.name ?? ""}
      />
    </>
  );
}

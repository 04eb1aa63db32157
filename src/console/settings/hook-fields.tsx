import { ChoiceField, LinesField } from "../parts/text-field.tsx";
import { type HookEntry, PURPOSES, STAGES } from "./hook-input.ts";

/** The fields of a new hook, or of one that is changed. */
export function HookFields({ hook }: { hook?: HookEntry }) {
  return (
    <>
      <ChoiceField
        name="stage"
        label="When"
        choices={Object.entries(STAGES)}
        defaultValue={hook?.stage ?? "BEFORE_INIT"}
      />
      <LinesField
        name="command"
        label="Command"
        required
        rows={4}
        hint="For /bin/sh, in the folder of the configuration. All who see the workspace can read it: put secrets into variables."
        defaultValue={hook?.command ?? ""}
      />
      <ChoiceField
        name="purpose"
        label="Purpose"
        choices={Object.entries(PURPOSES)}
        hint="It decides the code of the failure of the run if the hook fails."
        defaultValue={hook?.purpose ?? "GENERIC"}
      />
    </>
  );
}

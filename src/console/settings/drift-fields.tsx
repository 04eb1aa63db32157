import type { DriftSettingsItemFragment } from "../generated/graphql.ts";
import { ChoiceField } from "../parts/text-field.tsx";
import { choicesWith } from "../parts/words.ts";
import { DRIFT_MODES, RECONCILIATIONS } from "./drift-input.ts";

interface DriftFieldsOf {
  readonly settings: DriftSettingsItemFragment;
  /** Whether the person may set what starts runs. */
  readonly canDeploy: boolean;
}

/** The fields of how a workspace is checked for drift. */
export function DriftFields({ settings: { mode, reconcile }, canDeploy }: DriftFieldsOf) {
  return (
    <>
      <ChoiceField
        name="mode"
        label="Checks look for drift"
        choices={choicesWith(DRIFT_MODES, mode)}
        defaultValue={mode}
      />
      {canDeploy && (
        <ChoiceField
          name="reconcile"
          label="If they find drift"
          choices={choicesWith(RECONCILIATIONS, reconcile)}
          hint="The run keeps its plan gate, its approval rules and its policies."
          defaultValue={reconcile}
        />
      )}
    </>
  );
}

import type { RollbackMode } from "../generated/graphql.ts";
import { ChoiceField } from "../parts/text-field.tsx";
import { choicesWith } from "../parts/words.ts";
import { ROLLBACK_MODES } from "./rollback-input.ts";

/** The field of how a workspace goes back. */
export function RollbackFields({ mode }: { mode: RollbackMode }) {
  return (
    <ChoiceField
      name="mode"
      label="After an apply that does not pass"
      choices={choicesWith(ROLLBACK_MODES, mode)}
      defaultValue={mode}
    />
  );
}

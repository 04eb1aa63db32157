import type { LimitsItemFragment } from "../generated/graphql.ts";
import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { durationOf } from "../parts/time.tsx";
import { allowsNoLimit, LIMIT_NAMES, LIMITS, type LimitName, TIMEOUT_ACTIONS } from "./limit-input.ts";

interface LimitFieldsOf {
  readonly limits: LimitsItemFragment;
  readonly effective: Readonly<Record<LimitName, number>>;
}

/** The fields of the limits that are set in a workspace. */
export function LimitFields({ limits, effective }: LimitFieldsOf) {
  return (
    <>
      {LIMIT_NAMES.map((name) => (
        <TextField
          key={name}
          name={name}
          label={LIMITS[name].isTime ? `${LIMITS[name].label}: seconds` : LIMITS[name].label}
          type="number"
          min={0}
          hint={hintOf(name, effective[name])}
          placeholder={String(effective[name])}
          defaultValue={limits[name] ?? ""}
        />
      ))}
      <ChoiceField
        name="approvalTimeoutAction"
        label="A run that waits too long for people"
        choices={[["", "That of the organization, or the default"], ...Object.entries(TIMEOUT_ACTIONS)]}
        defaultValue={limits.approvalTimeoutAction ?? ""}
      />
    </>
  );
}

function hintOf(name: LimitName, value: number): string {
  if (!LIMITS[name].isTime) return "";
  return allowsNoLimit(name) ? "0 is no limit." : `Now ${durationOf(value)}.`;
}

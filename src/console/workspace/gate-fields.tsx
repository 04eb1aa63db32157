import type { AutoApply, PlanApprovalMode } from "../generated/graphql.ts";
import { checkedOf, textOfField } from "../parts/field.ts";
import { BoxesField, ChoiceField } from "../parts/text-field.tsx";

/** When a person must accept a plan. */
export const PLAN_APPROVALS: readonly (readonly [PlanApprovalMode, string])[] = [
  ["ALWAYS", "Each plan waits for an approval"],
  ["WHEN_REQUIRED", "A plan waits only where a rule requires it"],
];

/** Which plans are applied without a person. */
export const AUTO_APPLIES: readonly (readonly [AutoApply, string])[] = [
  ["NEVER", "None: a person confirms each apply"],
  ["CREATE_ONLY", "Those that only create"],
  ["NO_DESTROY", "Those that destroy and replace nothing"],
  ["ALWAYS", "All that are complete"],
];

export interface Gates {
  planApproval: PlanApprovalMode;
  autoApply: AutoApply;
}

/** The fields of the gates of a workspace. */
export function GateFields({ gates }: { gates?: Gates }) {
  return (
    <>
      <ChoiceField
        name="planApproval"
        label="Plans"
        choices={PLAN_APPROVALS}
        {...(gates !== undefined && { defaultValue: gates.planApproval })}
      />
      <ChoiceField
        name="autoApply"
        label="Plans that are applied without a person"
        choices={AUTO_APPLIES}
        {...(gates !== undefined && { defaultValue: gates.autoApply })}
      />
    </>
  );
}

/** Reads the gates of a form; the strictest ones where it has none. */
export function readGates(form: HTMLFormElement): Gates {
  const chosen = <Value extends string>(name: string, choices: readonly (readonly [Value, string])[]) =>
    choices.find(([value]) => value === textOfField(form, name))?.[0];
  return {
    planApproval: chosen("planApproval", PLAN_APPROVALS) ?? "ALWAYS",
    autoApply: chosen("autoApply", AUTO_APPLIES) ?? "NEVER",
  };
}

/** The names of what a workspace may permit, with their words. */
const PERMITTED = {
  interruptApply: "People stop an apply: the engine is interrupted, and saves its state",
  tasksAllowed: "Runs of kind task: commands of people, with the credentials of the workspace",
} as const;

type Permitted = Record<keyof typeof PERMITTED, boolean>;

/** The fields of what a workspace permits. */
export function PermittedFields({ permitted: { interruptApply, tasksAllowed } }: { permitted: Permitted }) {
  const checked = Object.entries({ interruptApply, tasksAllowed }).flatMap(([name, isOn]) => (isOn ? [name] : []));
  return <BoxesField name="permitted" label="Permitted" choices={Object.entries(PERMITTED)} checked={checked} />;
}

/** Reads what a workspace permits from a form. */
export function readPermitted(form: HTMLFormElement): Permitted {
  const checked = checkedOf(form, "permitted");
  return { interruptApply: checked.includes("interruptApply"), tasksAllowed: checked.includes("tasksAllowed") };
}

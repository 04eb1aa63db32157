import { BoxesField, ChoiceField, LinesField, TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";

interface ExceptionFieldsOf {
  /** The names of policies that can be chosen. */
  readonly policies: readonly string[];
  readonly rule?: string;
  readonly addressGlob?: string;
  readonly workspaces: readonly { readonly id: string; readonly name: string }[];
}

/** The fields of a request for an exception. A single workspace is checked. */
export function ExceptionFields({ policies, rule = "*", addressGlob = "*", workspaces }: ExceptionFieldsOf) {
  return (
    <>
      <ChoiceField name="policy" label="Policy" choices={policies.map((name) => [name, visible(name)] as const)} />
      <TextField name="rule" label="Rule" required hint="* is all rules of the policy." defaultValue={rule} />
      <TextField
        name="addressGlob"
        label="Resources"
        required
        hint="Their addresses: * matches any characters."
        defaultValue={addressGlob}
      />
      <BoxesField
        name="workspaceIds"
        label="Workspaces"
        choices={workspaces.map(({ id, name }) => [id, name] as const)}
        checked={workspaces.length === 1 ? workspaces.map(({ id }) => id) : []}
      />
      <LinesField name="reason" label="Reason" required rows={3} hint="Why the violation is allowed." />
      <TextField name="ticket" label="Ticket" />
      <TextField name="expiresAt" label="Last day" type="date" required hint="At most 90 days from now." />
      <p className="quiet">Another person decides about it: one who may change policies.</p>
    </>
  );
}

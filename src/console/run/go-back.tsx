import { RollBackDocument } from "../generated/graphql.ts";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { TextField } from "../parts/text-field.tsx";
import { type LinkedRun, useOpenRun } from "../runs/run-link.tsx";

/** A button with a dialog that makes a run which goes back to an earlier one. The page of the new run opens. */
export function GoBack({ run, label }: { run: LinkedRun & { readonly id: string }; label: string }) {
  const openRun = useOpenRun();
  return (
    <FormCommand
      document={RollBackDocument}
      label={label}
      title="Go back to an earlier run"
      submit="Go back to an earlier run"
      inputOf={(form) => ({ runId: run.id, message: textOfField(form, "message") || null })}
      onDone={({ run: created }) => openRun(created)}
    >
      <p>
        A new run plans the configuration of {run.workspace.name} #{run.number} with the credentials of now. It changes
        nothing before its plan is approved.
      </p>
      <RunMessage />
    </FormCommand>
  );
}

/** The field for the message of a run that is created. */
export function RunMessage() {
  return <TextField name="message" label="Message" hint="For the approvers." maxLength={10_000} />;
}

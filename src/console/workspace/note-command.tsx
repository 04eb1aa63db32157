import type { DocumentText } from "../live/documents.ts";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { TextField } from "../parts/text-field.tsx";

interface NoteCommandOf<TResult, TInput> {
  readonly document: DocumentText<TResult, { input: TInput }>;
  readonly label: string;
  /** The workspace or the state, by name. */
  readonly of: string;
  /** The consequences, for the person who decides. */
  readonly effect: string;
  readonly inputOf: (note: string | null) => TInput;
  readonly onDone: () => void;
}

/** A button with a dialog that states what a command does, and asks for a note. */
export function NoteCommand<TResult extends object, TInput extends object>({
  document,
  label,
  of,
  effect,
  inputOf,
  onDone,
}: NoteCommandOf<TResult, TInput>) {
  return (
    <FormCommand
      document={document}
      label={label}
      title={`${label}: ${of}`}
      submit={label}
      inputOf={(form) => inputOf(textOfField(form, "note") || null)}
      onDone={onDone}
    >
      <p>{effect}</p>
      <TextField name="note" label="Note" hint="For people who read this later." maxLength={10_000} />
    </FormCommand>
  );
}

import { type BulkAction, BulkCountDocument, BulkRunActionDocument, type RunFilter } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { FormKey } from "../parts/form-key.tsx";
import { RadioField, TextField } from "../parts/text-field.tsx";

/** The actions on many runs. An approval is about a plan that a person has read, so it is not one of them. */
const ACTIONS: readonly (readonly [BulkAction, string])[] = [
  ["DISCARD", "Discard: those that wait at a gate apply nothing"],
  ["CANCEL", "Cancel: those that have not ended are stopped"],
  ["RETRY", "Retry: those that failed get a new run"],
];
/** The most runs of one operation. */
const MOST = 10_000;

/** A button with a dialog that takes an action on all runs of a filter. */
export function BulkCommand({ filter, onDone }: { filter: RunFilter; onDone: () => void }) {
  return (
    <FormCommand
      document={BulkRunActionDocument}
      label="Act on all of these"
      title="Act on all runs of this filter"
      submit="Begin"
      inputOf={(form) => {
        const action = ACTIONS.map(([known]) => known).find((known) => known === textOfField(form, "action"));
        const comment = textOfField(form, "comment");
        return {
          filter,
          action: action ?? "DISCARD",
          comment: action === "RETRY" ? null : comment || null,
          idempotencyKey: textOfField(form, "idempotencyKey"),
        };
      }}
      onDone={onDone}
    >
      <Count filter={filter} />
      <RadioField name="action" label="Action" choices={ACTIONS} />
      <TextField
        name="comment"
        label="Reason"
        hint="For those who read these runs later; not for new runs."
        maxLength={1000}
      />
      <FormKey />
    </FormCommand>
  );
}

/** The number of runs that the action is about now. */
function Count({ filter }: { filter: RunFilter }) {
  const [{ data, error }] = useDocument(BulkCountDocument, { filter });
  const count = data?.runs.totalCount;
  if (error !== undefined) return <p role="alert">{error.message}</p>;
  if (count === undefined) return <p>Counting…</p>;
  return (
    <p role={count >= MOST ? "alert" : undefined}>
      {count >= MOST
        ? `${MOST} runs or more match: one operation takes less. `
        : `${count} ${count === 1 ? "run matches" : "runs match"} now. `}
      The action is on all that match when it begins. Each run decides on its own: one that cannot take the action
      states the reason.
    </p>
  );
}

import { useState } from "react";
import { CreateTokenDocument, DeleteVariableDocument, SetVariableDocument } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { AddEntry, DeleteEntry, EntryForm, type EntryList, RaiseEntry } from "../parts/entry-commands.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { NotSentError } from "../parts/sending.ts";
import { BoxesField, TextField } from "../parts/text-field.tsx";
import { Specimen } from "./specimen.tsx";

/** The answers that the server of the specimens gives, by the key that a command names. */
const ANSWERS = ["done", "refused", "problems", "lost", "never"] as const;

const nothing = (): void => undefined;
const inputOf = (key: string) => ({ workspaceId: "ws_1", category: "ENGINE" as const, key });

/** Commands and forms, by what the server answers. */
export function CommandSpecimens() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Specimen name="Commands">
        <Commands>
          {ANSWERS.map((answer) => (
            <Command
              key={answer}
              document={DeleteVariableDocument}
              input={inputOf(answer)}
              label={`Send: ${answer}`}
              onDone={nothing}
            />
          ))}
          <Command
            document={DeleteVariableDocument}
            input={inputOf("done")}
            label="Not now"
            disabled
            onDone={nothing}
          />
        </Commands>
      </Specimen>
      <Specimen name="Commands with a question">
        <Commands>
          {ANSWERS.map((answer) => (
            <Command
              key={answer}
              document={DeleteVariableDocument}
              input={inputOf(answer)}
              label={`Delete: ${answer}`}
              question={{ title: `Delete ${answer}`, text: "Its next runs do without it." }}
              onDone={nothing}
            />
          ))}
          <Command
            document={DeleteVariableDocument}
            input={inputOf("done")}
            label="Give"
            question={{ title: "Give it", text: "It is given at once.", gives: true }}
            onDone={nothing}
          />
        </Commands>
      </Specimen>
      <Specimen name="Forms">
        <Commands>
          <FormCommand
            document={SetVariableDocument}
            label="Set"
            title="Set a variable"
            submit="Set the variable"
            inputOf={(form) => ({ ...inputOf(textOfField(form, "key")), value: "" })}
            onDone={nothing}
            isPrimary
          >
            <TextField name="key" label="Name" required />
            <BoxesField name="flags" label="Its value" choices={[["sensitive", "Sensitive"]]} />
          </FormCommand>
          <FormCommand
            document={CreateTokenDocument}
            label="New token"
            title="New token"
            submit="Make the token"
            inputOf={() => ({ name: "ci" })}
            onDone={nothing}
            secretOf={() => ({ name: "The token", secret: "hpt_specimen", usage: "It is for the API." })}
          >
            <p>It is shown once.</p>
          </FormCommand>
          <FormCommand
            document={CreateTokenDocument}
            label="Not now"
            title="Not now"
            submit="Send"
            inputOf={() => ({ name: "ci" })}
            onDone={nothing}
            disabled
            reason="The workspace is paused."
          >
            {null}
          </FormCommand>
        </Commands>
      </Specimen>
      <Specimen name="Entries of a list">
        <Commands>
          <EntryForm list={LIST} readEntry={readEntry}>
            <TextField name="name" label="Name" required />
          </EntryForm>
          <EntryForm list={LIST} entry={{ name: "changed" }} readEntry={readEntry}>
            <TextField name="name" label="Name" required defaultValue="changed" />
          </EntryForm>
          <AddEntry list={LIST} entry={{ name: "changed" }} />
          <RaiseEntry list={LIST} entry={{ name: "gone" }} />
          <DeleteEntry list={LIST} entry={{ name: "gone" }} text="It is needed no more." />
        </Commands>
      </Specimen>
      <DeletedSpecimen />
      <Specimen name="Dialog">
        <button type="button" onClick={() => setOpen(true)}>
          Show it
        </button>
        {isOpen && (
          <Dialog title="Something to read" onClose={() => setOpen(false)}>
            <p>It is closed by Escape, and by its button.</p>
          </Dialog>
        )}
      </Specimen>
    </>
  );
}

/** An entry that someone else deletes while its form or its question is open. */
function DeletedSpecimen() {
  const [entries, setEntries] = useState(["form", "question"]);
  const remove = (name: string): void => setEntries((known) => known.filter((other) => other !== name));
  return (
    <Specimen name="Entries that are deleted meanwhile">
      <ul>
        {entries.includes("form") && (
          <li>
            <FormCommand
              document={SetVariableDocument}
              label="Edit"
              title="Change a variable"
              submit="Set the variable"
              inputOf={() => ({ ...inputOf("done"), value: "" })}
              onDone={nothing}
              ifDeleted="region was deleted meanwhile."
            >
              <TextField name="key" label="Name" required />
              <button type="button" onClick={() => remove("form")}>
                Someone deletes it
              </button>
            </FormCommand>
          </li>
        )}
        {entries.includes("question") && (
          <li>
            <Command
              document={DeleteVariableDocument}
              input={async () => {
                remove("question");
                throw new NotSentError("It was not there.");
              }}
              label="Remove"
              question={{ title: "Remove a variable", text: "Its next runs do without it." }}
              onDone={nothing}
            />
          </li>
        )}
      </ul>
    </Specimen>
  );
}

/** A list in which someone else has changed the entry `changed`, and deleted `gone`. */
const LIST: EntryList<
  object,
  { entries: readonly { name: string; value?: number }[] },
  { name: string; value?: number }
> = {
  document: { toString: () => "mutation Entries { entries }" },
  field: "entries",
  noun: "entry",
  owner: "shop",
  read: async () => ({ entries: [{ name: "changed", value: 2 }], settingsDigest: "" }),
  inputOf: (entries) => ({ entries }),
  onDone: nothing,
};

const readEntry = (form: HTMLFormElement): { name: string } => ({ name: textOfField(form, "name") });

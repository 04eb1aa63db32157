import { useContext, useEffect, useRef, useState } from "react";
import type { DocumentText } from "../live/documents.ts";
import { Command } from "./command.tsx";
import { useHosting } from "./dialog-host.tsx";
import { wholeTextOfField } from "./field.ts";
import { FormCommand, SentContext } from "./form-command.tsx";
import { type Entry, raiseEntry, replaceEntry, type Replaced } from "./replace-entry.ts";
import { NotSentError } from "./sending.ts";
import { visible } from "./visible.ts";

/** A list with names that the API only sets as a whole, such as the approval rules of a workspace. */
export interface EntryList<TResult extends object, TInput extends object, T extends Entry> {
  readonly document: DocumentText<TResult, { input: TInput }>;
  /** The field of the input that takes the list, as a path: `hooks`, `drift.ignore`. */
  readonly field: string;
  /** An entry in words: `approval rule`. */
  readonly noun: string;
  /** The owner of the list, by its name. */
  readonly owner: string;
  /** Reads the list as it is now; `null` if it cannot be seen any more. */
  readonly read: () => Promise<ReadList<T> | null>;
  /** `settingsDigest`: that of the settings that were read. */
  readonly inputOf: (entries: readonly T[], settingsDigest: string) => TInput;
  /** Reads the page again, which shows the list. */
  readonly onDone: () => void;
}

/** A list as it is now, and the digest of the settings that it belongs to. */
export interface ReadList<T extends Entry> {
  readonly entries: readonly T[];
  readonly settingsDigest: string;
}

interface EntryFormOf<TResult extends object, TInput extends object, T extends Entry> {
  readonly list: EntryList<TResult, TInput, T>;
  /** The entry that is changed. Absent: a new one. */
  readonly entry?: T;
  readonly readEntry: (form: HTMLFormElement) => T;
  readonly children: React.ReactNode;
}

/**
 * A button with the form of a new entry, or of one that is changed. The page is read again when the form opens. The form changes
 * the list as it is when it is sent. It sends nothing if the entry was changed or deleted since the form was opened, and states that.
 */
export function EntryForm<TResult extends object, TInput extends object, T extends Entry>({
  list,
  entry,
  readEntry,
  children,
}: EntryFormOf<TResult, TInput, T>) {
  const place = useRef(-1);
  const { document, field, noun, owner } = list;
  const name = entry === undefined ? "" : visible(entry.name);
  return (
    <FormCommand
      document={document}
      label={entry === undefined ? `New ${noun}` : "Change"}
      title={entry === undefined ? `New ${noun} of ${owner}` : `Change the ${noun} ${name} of ${owner}`}
      submit={entry === undefined ? `Add the ${noun}` : `Change the ${noun}`}
      inputOf={async (form) => {
        const before: T | null = JSON.parse(wholeTextOfField(form, "before"));
        const { input, at } = await changedList(list, (now) => replaceEntry(now, before, readEntry(form)));
        place.current = at;
        return input;
      }}
      isOwn={(path) => {
        const isOfList = path.join(".").startsWith(`${field}.`);
        return !isOfList || path[field.split(".").length] === String(place.current);
      }}
      onDone={list.onDone}
      ifDeleted={entry === undefined ? undefined : `The ${noun} ${name} was deleted, renamed or moved meanwhile.`}
    >
      <Before entry={entry ?? null} onOpen={list.onDone} />
      {children}
    </FormCommand>
  );
}

/** Keeps the entry as it was when the form was opened, and states that the page behind it has a newer one. */
function Before({ entry, onOpen }: { entry: Entry | null; onOpen: () => void }) {
  const [text] = useState(() => JSON.stringify(entry));
  const isSent = useContext(SentContext);
  const { lost } = useHosting();
  const open = useRef(onOpen);
  useEffect(() => open.current(), []);
  return (
    <>
      <input type="hidden" name="before" value={text} />
      {entry !== null && !isSent && lost === null && JSON.stringify(entry) !== text && (
        <p role="alert" className="problem">
          {visible(entry.name)} was changed meanwhile. Close this, and open it again to see what it is now.
        </p>
      )}
    </>
  );
}

interface EntryOf<TResult extends object, TInput extends object, T extends Entry> {
  readonly list: EntryList<TResult, TInput, T>;
  readonly entry: T;
}

/** A button that adds an entry as it is to the list as it is when it is sent. */
export function AddEntry<TResult extends object, TInput extends object, T extends Entry>({
  list,
  entry,
}: EntryOf<TResult, TInput, T>) {
  const { document, onDone } = list;
  const name = visible(entry.name);
  const add = (now: readonly T[]): Replaced<T> =>
    now.some((other) => other.name === entry.name)
      ? { problem: `${name} was added meanwhile. Nothing was sent.` }
      : replaceEntry(now, null, entry);
  return (
    <Command
      document={document}
      input={async () => (await changedList(list, add)).input}
      label={`Add ${name}`}
      onDone={onDone}
    />
  );
}

/** A button that deletes an entry, after a question. `text`: the consequences. */
export function DeleteEntry<TResult extends object, TInput extends object, T extends Entry>({
  list,
  entry,
  text,
}: EntryOf<TResult, TInput, T> & { text: string }) {
  const { document, noun, owner, onDone } = list;
  return (
    <Command
      document={document}
      input={async () => (await changedList(list, (now) => replaceEntry(now, entry, null))).input}
      label="Delete"
      question={{ title: `Delete the ${noun} ${visible(entry.name)} of ${owner}`, text }}
      onDone={onDone}
    />
  );
}

/** A button that moves an entry one place up. */
export function RaiseEntry<TResult extends object, TInput extends object, T extends Entry>({
  list,
  entry,
}: EntryOf<TResult, TInput, T>) {
  const { document, onDone } = list;
  return (
    <Command
      document={document}
      input={async () => (await changedList(list, (now) => raiseEntry(now, entry))).input}
      label="Move up"
      onDone={onDone}
    />
  );
}

/**
 * Changes the list as it is now, and gives the input that sets it, and the place of the changed entry. The API refuses it if
 * anything else is changed before it arrives.
 */
async function changedList<TResult extends object, TInput extends object, T extends Entry>(
  { read, noun, owner, inputOf }: EntryList<TResult, TInput, T>,
  change: (now: readonly T[]) => Replaced<T>,
): Promise<{ input: TInput; at: number }> {
  const now = await read().catch((error: unknown) => {
    const cause = error instanceof Error ? error.message : String(error);
    throw new NotSentError(`Nothing was sent: the list of now could not be read. ${cause}`);
  });
  if (now === null) throw new NotSentError(`Nothing was sent: you do not see the ${noun}s of ${owner} any more.`);
  const changed = change(now.entries);
  if ("problem" in changed) throw new NotSentError(changed.problem);
  return { input: inputOf(changed.entries, now.settingsDigest), at: changed.at };
}

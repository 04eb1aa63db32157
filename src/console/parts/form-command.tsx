import { createContext, Suspense, useEffect, useRef, useState } from "react";
import type { DocumentText } from "../live/documents.ts";
import { useIsLive } from "../live/freshness.tsx";
import { Dialog, DialogButtons } from "./dialog.tsx";
import { HostedDialog, useHosting } from "./dialog-host.tsx";
import { fieldNames, issuesOfFields } from "./field-issues.ts";
import { type Opener, openerOf } from "./opener.ts";
import { Refusal } from "./refusal.tsx";
import { type GivenSecret, Secret } from "./secret.tsx";
import { type SuccessOf, useSending } from "./sending.ts";
import { IssuesContext } from "./text-field.tsx";
import { Withdrawn } from "./withdrawn.tsx";

interface FormCommandOf<TResult, TInput extends object> {
  readonly document: DocumentText<TResult, { input: TInput }>;
  /** The button that opens the form, without the dots. */
  readonly label: string;
  readonly title: string;
  readonly submit: string;
  /** Reads the input from the form, perhaps with what the API has now. It may throw a NotSentError. */
  readonly inputOf: (form: HTMLFormElement) => TInput | Promise<TInput>;
  /** Whether a problem of the input belongs to this form, by its path. Absent: all of them do. */
  readonly isOwn?: (path: readonly string[]) => boolean;
  /** Reads again what the command has changed. */
  readonly onDone: (success: SuccessOf<TResult>) => void;
  /** The secret of the answer, which is shown until the dialog is closed. Absent or `null`: there is none. */
  readonly secretOf?: (success: SuccessOf<TResult>) => GivenSecret | null;
  /** The sentence that is shown if the row or the section around the button goes. Absent: that may have other reasons. */
  readonly ifDeleted?: string | undefined;
  /** The fields. They may be loaded when the dialog opens (`lazyPart`). */
  readonly children: React.ReactNode;
  /** Whether the form cannot be opened, and why. */
  readonly disabled?: boolean;
  readonly reason?: string | undefined;
  readonly isPrimary?: boolean;
}

/** Whether the form around a part is being sent, or was: what it changes differs from what it shows then. */
export const SentContext = createContext(false);

/**
 * A button with a dialog that asks for the input of a command. If the button goes while the form is open, the form stays with what was
 * typed, states why, and sends nothing.
 */
export function FormCommand<TResult extends object, TInput extends object>(command: FormCommandOf<TResult, TInput>) {
  const { disabled = false, reason, isPrimary = false } = command;
  const [opener, setOpener] = useState<Opener | null>(null);
  return (
    <>
      <button
        type="button"
        className={isPrimary ? "primary" : undefined}
        disabled={disabled}
        title={reason}
        onClick={({ currentTarget }) => setOpener(openerOf(currentTarget))}
      >
        {command.label}…
      </button>
      {opener !== null && (
        <HostedDialog opener={opener} onClose={() => setOpener(null)}>
          <FormDialog {...command} />
        </HostedDialog>
      )}
    </>
  );
}

function FormDialog<TResult extends object, TInput extends object>({
  document,
  title,
  submit,
  inputOf,
  isOwn = () => true,
  onDone,
  secretOf,
  ifDeleted,
  children,
}: FormCommandOf<TResult, TInput>) {
  const isLive = useIsLive();
  const { lost, close } = useHosting();
  const { state, refused, send } = useSending(document);
  // The row may go because of what this form has sent.
  const isLost = lost !== null && state === "IDLE";
  const isUncertain = refused?.isUncertain === true;
  const [given, setGiven] = useState<GivenSecret | null>(null);
  const [isDone, setDone] = useState(false);
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  const found = refused?.issues ?? [];
  const issues = issuesOfFields(
    found.filter(({ path }) => isOwn(path)),
    names,
  );
  const isMarked = found.length > 0 && issues.length === found.length;
  const fields = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // A long form shows its end, and the field with the problem may be out of sight.
    fields.current?.querySelector<HTMLElement>(MARKED)?.focus();
  }, [refused]);
  const submitForm = async (form: HTMLFormElement): Promise<void> => {
    if (isLost) return;
    setNames(fieldNames(form));
    const success = await send(async () => inputOf(form));
    if (success === null) return;
    onDone(success);
    const secret = secretOf?.(success) ?? null;
    if (secret === null) setDone(true);
    else setGiven(secret);
  };
  return (
    <Dialog sends title={title} isBusy={state === "SENDING"} isDone={isDone} onClose={close}>
      {given !== null ? (
        <>
          <Secret given={given} />
          <DialogButtons />
        </>
      ) : (
        <form
          ref={fields}
          onSubmit={(event) => {
            event.preventDefault();
            void submitForm(event.currentTarget);
          }}
        >
          {isLost && !isUncertain && <Withdrawn reason={lost === "ITEM" ? ifDeleted : undefined} advice={COPY} />}
          <IssuesContext value={issues}>
            <SentContext value={state !== "IDLE"}>
              <Suspense fallback="Loading…">
                {children}
                <FocusFirst form={fields} />
              </Suspense>
            </SentContext>
          </IssuesContext>
          {(!isLost || isUncertain) && <Refusal refused={refused} isMarked={isMarked} isLost={isLost} />}
          <DialogButtons isBusy={state === "SENDING"} isLost={isLost}>
            <button type="submit" className="primary" disabled={!isLive || state === "SENDING"}>
              {state === "SENDING" ? "Sending…" : submit}
            </button>
          </DialogButtons>
        </form>
      )}
    </Dialog>
  );
}

/**
 * Puts the focus on the first field once the fields are there. A dialog that opened without them has it on a button; a person
 * who is in a field already stays there.
 */
function FocusFirst({ form }: { form: React.RefObject<HTMLFormElement | null> }) {
  useEffect(() => {
    if (document.activeElement?.matches(FIELD) === true) return;
    form.current?.querySelector<HTMLElement>(FIELD)?.focus();
  }, [form]);
  return null;
}

/** A person who has typed something may need it elsewhere. */
const COPY = "Copy what you need from here, then close this.";

const FIELD = "dialog form :is(input:not([type=hidden]), select, textarea)";

/** The fields that the API found a problem with. */
const MARKED = "[aria-invalid=true], [data-invalid] input";

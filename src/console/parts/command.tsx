import { useState } from "react";
import type { DocumentText } from "../live/documents.ts";
import { useIsLive } from "../live/freshness.tsx";
import styles from "./command.module.css";
import { Dialog, DialogButtons } from "./dialog.tsx";
import { HostedDialog, useHosting } from "./dialog-host.tsx";
import { type Opener, openerOf } from "./opener.ts";
import { Refusal } from "./refusal.tsx";
import { type InputOf, type SuccessOf, useSending } from "./sending.ts";
import { Withdrawn } from "./withdrawn.tsx";

/** The question that a command asks before it is sent. */
export interface Question {
  /** The command and the object, by its name. */
  readonly title: string;
  /** The consequences. */
  readonly text: string;
  /** Whether the command gives something. Absent: it takes something away, and is red. */
  readonly gives?: boolean;
}

interface CommandOf<TResult, TInput extends object> {
  readonly document: DocumentText<TResult, { input: TInput }>;
  readonly input: InputOf<TInput>;
  readonly label: string;
  /** Reads again what the command has changed. */
  readonly onDone: (success: SuccessOf<TResult>) => void;
  readonly disabled?: boolean;
}

/**
 * A button that sends a command: it shows that it is sent, that it is done, or why it was refused. With a question it
 * opens a dialog, which sends the command.
 */
export function Command<TResult extends object, TInput extends object>({
  question,
  ...command
}: CommandOf<TResult, TInput> & { question?: Question }) {
  return question === undefined ? <Sent {...command} /> : <Asked {...command} question={question} />;
}

function Sent<TResult extends object, TInput extends object>(command: CommandOf<TResult, TInput>) {
  const { document, input, label, onDone, disabled = false } = command;
  const isLive = useIsLive();
  const { state, refused, send } = useSending(document);
  const submit = async (): Promise<void> => {
    const success = await send(input);
    if (success !== null) onDone(success);
  };
  return (
    <span className={styles["command"]}>
      <button type="button" disabled={!isLive || disabled || state === "SENDING"} onClick={() => void submit()}>
        {state === "SENDING" ? "Sending…" : label}
      </button>
      <output className="quiet">{state === "DONE" && "✓ done"}</output>
      <Refusal refused={refused} />
    </span>
  );
}

type Asks<TResult, TInput extends object> = CommandOf<TResult, TInput> & { readonly question: Question };

function Asked<TResult extends object, TInput extends object>(command: Asks<TResult, TInput>) {
  const [opener, setOpener] = useState<Opener | null>(null);
  const isLive = useIsLive();
  const { label, question, disabled = false } = command;
  return (
    <>
      <button
        type="button"
        className={question.gives === true ? undefined : "danger"}
        disabled={!isLive || disabled}
        onClick={({ currentTarget }) => setOpener(openerOf(currentTarget))}
      >
        {label}…
      </button>
      {opener !== null && (
        <HostedDialog opener={opener} onClose={() => setOpener(null)}>
          <QuestionDialog {...command} />
        </HostedDialog>
      )}
    </>
  );
}

function QuestionDialog<TResult extends object, TInput extends object>(command: Asks<TResult, TInput>) {
  const { document, label, onDone } = command;
  // The command is the one that was asked about, also if the page learns of something else meanwhile.
  const [{ input, question }] = useState(command);
  const isLive = useIsLive();
  const { lost, close } = useHosting();
  const { state, refused, send } = useSending(document);
  const isLost = lost !== null && state === "IDLE";
  const isUncertain = refused?.isUncertain === true;
  const submit = async (): Promise<void> => {
    const success = await send(input);
    if (success !== null) onDone(success);
  };
  return (
    <Dialog sends title={question.title} isBusy={state === "SENDING"} isDone={state === "DONE"} onClose={close}>
      {isLost && !isUncertain && <Withdrawn advice="Close this." />}
      <p>{question.text}</p>
      {(!isLost || isUncertain) && <Refusal refused={refused} isLost={isLost} />}
      <DialogButtons isBusy={state === "SENDING"} isLost={isLost}>
        <button
          type="button"
          className={question.gives === true ? "primary" : "danger"}
          disabled={!isLive || state === "SENDING"}
          onClick={() => void submit()}
        >
          {state === "SENDING" ? "Sending…" : label}
        </button>
      </DialogButtons>
    </Dialog>
  );
}

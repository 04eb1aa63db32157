import { useEffect, useRef, useState } from "react";
import {
  ApproveDocument,
  CancelDocument,
  DiscardDocument,
  RejectDocument,
  ReplanDocument,
  type RunPageFragment,
} from "../generated/graphql.ts";
import { useIsLive } from "../live/freshness.tsx";
import { useCommand } from "../live/documents.ts";
import { Counts } from "../parts/counts.tsx";
import styles from "./decision-dialog.module.css";
import type { DecisionName } from "./decisions.ts";

const TITLES: Record<DecisionName, string> = {
  approvePlan: "Approve this plan",
  approveApply: "Approve the apply",
  reject: "Reject this plan",
  replan: "Plan again",
  discard: "Discard the run",
  cancel: "Cancel the run",
};

/** The answer of a command: a refusal in words, or nothing. */
interface Answer {
  readonly problem: string | null;
  readonly url: string | null;
  readonly isStale: boolean;
}

/**
 * Asks for a comment and sends one command. It is about the plan that was current when the dialog was opened: if another
 * took its place meanwhile, the dialog reports that and sends nothing.
 */
export function DecisionDialog({
  run,
  name,
  onClose,
}: {
  run: RunPageFragment;
  name: DecisionName;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isLive = useIsLive();
  const [seen] = useState(run.plan?.version ?? 0);
  const [comment, setComment] = useState("");
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isSending, setSending] = useState(false);
  const send = useSend(run.id, name, seen);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const current = run.plan?.version ?? 0;
  const isStale = current !== seen || answer?.isStale === true;
  const needsComment = run.approvalRequirements.some(({ current: is, commentRequired }) => is && commentRequired);
  const submit = async (): Promise<void> => {
    setSending(true);
    const given = await send(comment.trim() === "" ? null : comment.trim());
    setSending(false);
    if (given.problem === null) dialog.current?.close();
    else setAnswer(given);
  };
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="decision-title" className={styles["dialog"]}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <h2 id="decision-title">{TITLES[name]}</h2>
        <p>
          {run.workspace.name} #{run.number}
          {run.plan != null && `, plan v${seen}`} <Counts plan={run.plan} />
        </p>
        {isStale && (
          <p role="alert" className="problem">
            Nothing was sent or decided: plan v{current} took the place of v{seen} while you read. Close this and read
            the new one.
          </p>
        )}
        <label htmlFor="decision-comment">Comment{needsComment ? "" : " (optional)"}</label>
        <textarea
          id="decision-comment"
          rows={3}
          required={needsComment}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
        {!isStale && answer !== null && (
          <p role="alert" className="problem">
            {answer.problem} {answer.url !== null && <a href={signInAgain(answer.url)}>Sign in again</a>}
          </p>
        )}
        {!isLive && <output>The page is not connected. Wait until it is live.</output>}
        <p className={styles["buttons"]}>
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
          <button type="submit" className="primary" disabled={!isLive || isStale || isSending}>
            {isSending ? "Sending…" : TITLES[name]}
          </button>
        </p>
      </form>
    </dialog>
  );
}

/** The address of this site, so that the person comes back to this page. */
function signInAgain(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return `${pathname}${search}&return=${encodeURIComponent(location.pathname + location.search)}`;
}

type Send = (comment: string | null) => Promise<Answer>;

/** Gives the function that sends a command with a comment. A lost answer is a problem: reading shows what became of it. */
function useSend(runId: string, name: DecisionName, planVersion: number): Send {
  const [, approve] = useCommand(ApproveDocument);
  const [, reject] = useCommand(RejectDocument);
  const [, replan] = useCommand(ReplanDocument);
  const [, discard] = useCommand(DiscardDocument);
  const [, cancel] = useCommand(CancelDocument);
  const commands: Record<DecisionName, Send> = {
    approvePlan: async (comment) => answerOf(await approve({ input: { runId, gate: "PLAN", planVersion, comment } })),
    approveApply: async (comment) => answerOf(await approve({ input: { runId, gate: "APPLY", planVersion, comment } })),
    reject: async (comment) => answerOf(await reject({ input: { runId, planVersion, comment } })),
    replan: async (comment) => answerOf(await replan({ input: { runId, planVersion, comment } })),
    discard: async (comment) => answerOf(await discard({ input: { runId, comment } })),
    cancel: async (comment) => answerOf(await cancel({ input: { runId, comment } })),
  };
  return commands[name];
}

interface Sent {
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: { readonly message: string } | undefined;
}

function answerOf({ data, error }: Sent): Answer {
  if (error !== undefined) {
    const problem = `The answer was lost: ${error.message}. Check the run before you send it again.`;
    return { problem, url: null, isStale: false };
  }
  const [result] = Object.values(data ?? {});
  const field = (name: string): string | null => {
    const value: unknown = typeof result === "object" && result !== null ? Reflect.get(result, name) : null;
    return typeof value === "string" ? value : null;
  };
  return { problem: field("message"), url: field("url"), isStale: field("__typename") === "StalePlanError" };
}

import { useEffect, useRef, useState } from "react";
import type { RunPageFragment } from "../generated/graphql.ts";
import { useIsLive } from "../live/freshness.tsx";
import { Counts } from "../parts/counts.tsx";
import { signInAgain } from "../parts/sign-in-again.ts";
import styles from "./decision-dialog.module.css";
import { DECISIONS, type DecisionName } from "./decisions.ts";
import { FailedPolicies } from "./failed-policies.tsx";
import { type Answer, useSend } from "./use-send.ts";

const TITLES: Record<DecisionName, string> = {
  approvePlan: "Approve this plan",
  approveApply: "Approve the apply",
  override: "Override the policies",
  works: "Conclude that it works",
  failed: "Conclude that it does not work",
  reject: "Reject this plan",
  replan: "Plan again",
  discard: "Discard the run",
  cancel: "Cancel the run",
};

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
  const [evaluationIds, setEvaluationIds] = useState<readonly string[]>([]);
  const send = useSend(name, { runId: run.id, planVersion: seen, evaluationIds });
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const current = run.plan?.version ?? 0;
  const isStale = current !== seen || answer?.isStale === true;
  const needsComment =
    DECISIONS.some((offer) => offer.name === name && offer.needsComment === true) ||
    run.approvalRequirements.some(({ current: is, commentRequired }) => is && commentRequired);
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
        {name === "override" && <FailedPolicies runId={run.id} planVersion={seen} onShown={setEvaluationIds} />}
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
          <button
            type="submit"
            className="primary"
            disabled={!isLive || isStale || isSending || (name === "override" && evaluationIds.length === 0)}
          >
            {isSending ? "Sending…" : TITLES[name]}
          </button>
        </p>
      </form>
    </dialog>
  );
}

import { Suspense, useId, useState } from "react";
import type { RunPageFragment } from "../generated/graphql.ts";
import { useIsLive } from "../live/freshness.tsx";
import { Counts } from "../parts/counts.tsx";
import { Dialog, DialogButtons } from "../parts/dialog.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { Refusal } from "../parts/refusal.tsx";
import type { Refused } from "../parts/refused.ts";
import { visible } from "../parts/visible.ts";
import { DECISIONS, type DecisionName } from "./decisions.ts";
import { FailedPolicies } from "./failed-policies.tsx";
import { useSend } from "./use-send.ts";

const Comparison = lazyPart(() => import("../plan/comparison.tsx"), "Comparison");

const TITLES: Record<DecisionName, string> = {
  approvePlan: "Approve this plan",
  approveApply: "Approve the apply",
  override: "Override the policies",
  works: "Conclude that it works",
  failed: "Conclude that it does not work",
  reject: "Reject this plan",
  replan: "Plan again",
  planPicked: "Plan only what is picked",
  replacePicked: "Plan again, and replace what is picked",
  planAll: "Plan the whole configuration",
  discard: "Discard the run",
  withdraw: "Withdraw your approval",
  cancel: "Cancel the run",
  forceStop: "Stop the run by force",
};

/**
 * Asks for a comment and sends one command. It is about the plan that was current when the dialog was opened: if another
 * took its place meanwhile, the dialog reports that and sends nothing.
 */
export function DecisionDialog({
  run,
  name,
  addresses = [],
  onClose,
}: {
  run: RunPageFragment;
  name: DecisionName;
  /** The resources that were picked in the plan. */
  addresses?: readonly string[];
  onClose: () => void;
}) {
  const isLive = useIsLive();
  const [seen] = useState(run.plan?.version ?? 0);
  const [comment, setComment] = useState("");
  const [refused, setRefused] = useState<Refused | null>(null);
  const [state, setState] = useState<"IDLE" | "SENDING" | "DONE">("IDLE");
  const [evaluationIds, setEvaluationIds] = useState<readonly string[]>([]);
  const gate = run.approvals.findLast(({ counts }) => counts)?.gate ?? "PLAN";
  const send = useSend(name, { runId: run.id, planVersion: seen, gate, evaluationIds, addresses });
  const id = useId();
  const current = run.plan?.version ?? 0;
  const isStale = current !== seen;
  const former = isStale ? run.plans.find(({ version }) => version === seen) : undefined;
  const mayBeSent = state !== "IDLE" || refused?.isUncertain === true;
  const needsComment =
    DECISIONS.some((offer) => offer.name === name && offer.needsComment === true) ||
    run.approvalRequirements.some(({ current: is, commentRequired }) => is && commentRequired);
  const submit = async (): Promise<void> => {
    setState("SENDING");
    const found = await send(comment.trim() === "" ? null : comment.trim());
    setState(found === null ? "DONE" : "IDLE");
    setRefused(found);
  };
  return (
    <Dialog sends title={TITLES[name]} isBusy={state === "SENDING"} isDone={state === "DONE"} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p>
          {run.workspace.name} #{run.number}
          {run.plan != null && `, plan v${seen}`} <Counts plan={run.plan} />
        </p>
        {isStale && (
          <p role="alert" className="problem">
            {mayBeSent
              ? `Plan v${current} took the place of v${seen}.`
              : `Nothing was sent or decided: plan v${current} took the place of v${seen} while you read. Close this and read the new one.`}
          </p>
        )}
        {run.plan != null && former !== undefined && (
          <Suspense fallback={<p>Loading…</p>}>
            <Comparison plan={run.plan} other={former} />
          </Suspense>
        )}
        {addresses.length > 0 && <Picked name={name} addresses={addresses} />}
        {name === "override" && <FailedPolicies runId={run.id} planVersion={seen} onShown={setEvaluationIds} />}
        {name === "forceStop" && <p>The runner is no longer waited for. What it has applied may not be known.</p>}
        <label htmlFor={id}>Comment{needsComment ? "" : " (optional)"}</label>
        <textarea
          id={id}
          rows={3}
          required={needsComment}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
        {(!isStale || mayBeSent) && <Refusal refused={refused} isLost={isStale} />}
        {!isLive && <output>The page is not connected. Wait until it is live.</output>}
        <DialogButtons isBusy={state === "SENDING"}>
          <button
            type="submit"
            className="primary"
            disabled={!isLive || isStale || state === "SENDING" || (name === "override" && evaluationIds.length === 0)}
          >
            {state === "SENDING" ? "Sending…" : TITLES[name]}
          </button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

const LISTED = 10;

function Picked({ name, addresses }: { name: DecisionName; addresses: readonly string[] }) {
  return (
    <>
      <p>
        {name === "planPicked"
          ? "The new plan has these and what they depend on. It leaves out the rest of the configuration:"
          : "The new plan destroys these and creates them again:"}
      </p>
      <ul>
        {addresses.slice(0, LISTED).map((address) => (
          <li key={address}>
            <code>{visible(address)}</code>
          </li>
        ))}
        {addresses.length > LISTED && <li>and {addresses.length - LISTED} more</li>}
      </ul>
    </>
  );
}

import { useState } from "react";
import { type RunPageFragment, WayBackDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { useIsLive } from "../live/freshness.tsx";
import { wordsOf } from "../parts/words.ts";
import { RunLink } from "../runs/run-link.tsx";
import { DecisionDialog } from "./decision-dialog.tsx";

/** Where a deploy goes back to with which risks, and after a failure the run that is known to be good. */
export function WayBack({ run }: { run: RunPageFragment }) {
  const isLive = useIsLive();
  const [isOpen, setOpen] = useState(false);
  const [{ data }] = useDocument(WayBackDocument, { id: run.id });
  if (data?.run == null) return null;
  const { rollsBackTo, rollbackRisks, rollbackCandidate: good } = data.run;
  const canGoBack = good?.actions.some(({ action, allowed }) => action === "ROLLBACK" && allowed) === true;
  return (
    <>
      {rollsBackTo != null && (
        <p>
          Goes back to <RunLink run={rollsBackTo} />.{" "}
          {rollbackRisks.length > 0 && <strong>Risks: {rollbackRisks.map(wordsOf).join(", ")}.</strong>}
        </p>
      )}
      {run.failure != null && good != null && (
        <p>
          <RunLink run={good} /> is the newest run whose result is known to be good.{" "}
          {canGoBack && (
            <button type="button" disabled={!isLive} onClick={() => setOpen(true)}>
              Go back to #{good.number}…
            </button>
          )}
        </p>
      )}
      {isOpen && good != null && (
        <DecisionDialog run={run} name="rollBack" earlier={good} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

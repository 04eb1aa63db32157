import { type RunPageFragment, WayBackDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { wordsOf } from "../parts/words.ts";
import { RunLink } from "../runs/run-link.tsx";
import { GoBack } from "./go-back.tsx";

/** The run to which a rollback goes back, with its risks; for a deploy that failed, the run that is known to be good. */
export function WayBack({ run }: { run: RunPageFragment }) {
  const pause = run.kind !== "DEPLOY" || (run.failure == null && run.trigger !== "ROLLBACK");
  const [{ data }] = useDocument(WayBackDocument, { id: run.id }, { pause });
  if (pause || data?.run == null) return null;
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
        <div>
          <RunLink run={good} /> is the newest run whose result is known to be good.{" "}
          {canGoBack && <GoBack run={good} label={`Go back to #${good.number}`} />}
        </div>
      )}
    </>
  );
}

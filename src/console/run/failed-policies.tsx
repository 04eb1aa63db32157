import { useEffect, useState } from "react";
import { JudgementsDocument, type RunJudgementsFragment } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { visible } from "../parts/visible.ts";

interface FailedPoliciesProps {
  readonly runId: string;
  readonly planVersion: number;
  /** Takes the ids of the evaluations that are shown: an override is about these, and about no later one. */
  readonly onShown: (evaluationIds: readonly string[]) => void;
}

/** The failures that an override would let pass. */
export function FailedPolicies({ runId, planVersion, onShown }: FailedPoliciesProps) {
  const [{ data, error }] = useDocument(JudgementsDocument, { runId });
  const [first, setFirst] = useState<RunJudgementsFragment["policyEvaluations"] | null>(null);
  const found = data?.run?.policyEvaluations.filter(
    (evaluation) =>
      !evaluation.shadow &&
      evaluation.planVersion === planVersion &&
      (evaluation.status === "FAILED" || evaluation.status === "ERRORED"),
  );
  // The first answer stays: an evaluation that comes later was not there when the person began to read.
  const failed = first ?? found;
  if (first === null && found !== undefined) setFirst(found);
  useEffect(() => onShown(first?.map(({ id }) => id) ?? []), [first, onShown]);
  if (error !== undefined) return <p role="alert">{error.message}</p>;
  if (failed === undefined) return <p>Loading…</p>;
  return (
    <ul aria-label="Failures">
      {failed.map(({ id, version, error: problem, results: { edges, pageInfo } }) => (
        <li key={id}>
          {visible(version?.policySet?.name ?? "a policy set that is gone")}
          {problem != null && `: ${visible(problem)}`}
          <ul>
            {edges.map(({ node: { id: resultId, policy, rule, message } }) => (
              <li key={resultId}>
                {visible(message)}{" "}
                <span className="quiet">
                  {visible(policy)}, {visible(rule)}
                </span>
              </li>
            ))}
            {pageInfo.hasNextPage && <li>and more, which the tab "checks" has</li>}
          </ul>
        </li>
      ))}
    </ul>
  );
}

import { useEffect } from "react";
import { JudgementsDocument } from "../generated/graphql.ts";
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
  const failed = data?.run?.policyEvaluations.filter(
    (evaluation) =>
      !evaluation.shadow &&
      evaluation.planVersion === planVersion &&
      (evaluation.status === "FAILED" || evaluation.status === "ERRORED"),
  );
  const ids = failed?.map(({ id }) => id).join(" ") ?? "";
  useEffect(() => onShown(ids === "" ? [] : ids.split(" ")), [ids, onShown]);
  if (error !== undefined) return <p role="alert">{error.message}</p>;
  if (failed === undefined) return <p>Loading…</p>;
  const results = failed.flatMap(({ results: { edges } }) => edges.map(({ node }) => node));
  return (
    <ul aria-label="Failures">
      {results.map(({ id, policy, rule, message }) => (
        <li key={id}>
          {visible(message)}{" "}
          <span className="quiet">
            {policy}, {rule}
          </span>
        </li>
      ))}
    </ul>
  );
}

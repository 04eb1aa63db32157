import { Link } from "@tanstack/react-router";
import type { RunPageFragment } from "../generated/graphql.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { paramsOf } from "../runs/run-link.tsx";
import styles from "./failure.module.css";

interface FailureProps {
  readonly run: RunPageFragment;
  readonly failure: NonNullable<RunPageFragment["failure"]>;
}

/** Where and why a run failed, and whether a new plan may help. */
export function Failure({ run, failure }: FailureProps) {
  const { code, stage, summary, message, likelyCause, retryable, stateUncertain, evidence, resources } = failure;
  return (
    <section className={styles["failure"]} aria-label="Failure">
      <h2>
        {visible(summary)} <code>{code}</code>
      </h2>
      <p className={styles["message"]}>{visible(message)}</p>
      {likelyCause != null && <p>{visible(likelyCause)}</p>}
      <p>
        Failed in {wordsOf(stage)}.{" "}
        {retryable ? "A new plan may succeed without a change." : "It needs a change first."}
        {stateUncertain && <strong> What was applied is not known for certain.</strong>}
      </p>
      {resources.length > 0 && (
        <ul>
          {resources.map(({ address, summary: problem }) => (
            <li key={`${address} ${problem}`}>
              {address != null && run.plan == null && <code>{visible(address)}</code>}
              {address != null && run.plan != null && (
                <Link
                  to="/o/$organization/w/$workspace/runs/$number"
                  params={paramsOf(run)}
                  search={{ tab: "plan", change: address }}
                  resetScroll={false}
                >
                  <code>{visible(address)}</code>
                </Link>
              )}{" "}
              {visible(problem)}
            </li>
          ))}
        </ul>
      )}
      {evidence.length > 0 && (
        <details>
          <summary>Last lines</summary>
          <pre>{visible(evidence.join("\n"))}</pre>
        </details>
      )}
    </section>
  );
}

import { PolicyVersionDocument, type PolicyVersionQuery } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { ListState } from "../parts/list-state.tsx";
import { Mark } from "../parts/mark.tsx";
import { shortDigest } from "../parts/short-digest.ts";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { type Tone, wordsOf } from "../parts/words.ts";
import { RunLink } from "../runs/run-link.tsx";
import styles from "./policy-version.module.css";

type ShownVersion = Extract<NonNullable<PolicyVersionQuery["node"]>, { __typename: "PolicySetVersion" }>;

/** A later release may have more results, which are shown as work. */
const TONES: Readonly<Record<string, Tone>> = {
  PASSED: "good",
  WARNED: "asks",
  FAILED: "bad",
  ERRORED: "bad",
  CANCELED: "quiet",
};

/** A version of a policy set: its source, its tests, and its newest results. */
export function PolicyVersion({ id }: { id: string }) {
  const [read, reload] = useDocument(PolicyVersionDocument, { id });
  useTick(reload);
  const version = read.data?.node;
  if (version == null || version.__typename !== "PolicySetVersion") {
    return <ListState read={read} count={0} empty="There is no such version that you may see." />;
  }
  return (
    <>
      <Source version={version} />
      {version.testReport != null && <Tests report={version.testReport} />}
      <Results version={version} />
    </>
  );
}

function Source({ version: { number, rules, policies, digest } }: { version: ShownVersion }) {
  return (
    <section className="panel" aria-label="Source">
      <h2>
        Source of v{number} <code className="quiet">{shortDigest(digest)}</code>
      </h2>
      {rules?.map((rule) => (
        <div key={rule.name} className={styles["rule"]}>
          <h3>
            {visible(rule.name)} <span className="quiet">{wordsOf(rule.level)}</span>
          </h3>
          <p className="quiet">
            {[
              `at ${wordsOf(rule.point)}`,
              `each ${wordsOf(rule.each)}`,
              rule.types != null && rule.types.map(visible).join(", "),
              rule.actions != null && rule.actions.map(wordsOf).join(", "),
            ]
              .filter((part) => part !== false)
              .join(" · ")}
          </p>
          <pre className={styles["source"]} tabIndex={0} aria-label={`Condition of ${visible(rule.name)}`}>
            {visible(rule.when)}
          </pre>
          <p>{visible(rule.message)}</p>
          {rule.remediation != null && <p className="quiet">{visible(rule.remediation)}</p>}
        </div>
      ))}
      {rules == null && (
        <>
          <p>A compiled module: its source is not here.</p>
          <ul>
            {policies.map((policy) => (
              <li key={policy.name}>
                {visible(policy.name)}{" "}
                <span className="quiet">
                  {wordsOf(policy.level)}, at {wordsOf(policy.point)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Tests({ report }: { report: NonNullable<ShownVersion["testReport"]> }) {
  return (
    <section className="panel" aria-label="Tests">
      <h2>Tests</h2>
      <ul>
        {report.results.map(({ name, passed, problems }) => (
          <li key={name}>
            <Mark tone={passed ? "good" : "bad"}>{visible(name)}</Mark>{" "}
            <span className="quiet">{problems.map(visible).join("; ")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Results({ version: { evaluations, number } }: { version: ShownVersion }) {
  const nodes = evaluations.edges.map(({ node }) => node);
  return (
    <section className="panel" aria-label="Results">
      <h2>Newest results of v{number}</h2>
      <ListState read={{ fetching: false }} count={nodes.length} empty="It has judged no plan yet." />
      {nodes.length > 0 && (
        <Table label="Results" heads={["Run", "Result", "At", "When"]}>
          {nodes.map(({ id, run, status, point, shadow, planVersion, error, createdAt }) => (
            <tr key={id}>
              <td>
                {run == null ? "a run that is gone" : <RunLink run={run} />} plan v{planVersion}
              </td>
              <td>
                <Mark tone={TONES[status] ?? "busy"}>{wordsOf(status)}</Mark>
                {error != null && <span className="problem"> {visible(error)}</span>}
              </td>
              <td>
                {wordsOf(point)}
                {shadow && <span className="quiet"> in shadow</span>}
              </td>
              <td>
                <Ago at={createdAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

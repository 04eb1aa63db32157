import { JudgementsDocument, type RunJudgementsFragment, type RunPageFragment } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { useRereadOn } from "../parts/use-reread-on.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { RequestException } from "./request-exception.tsx";
import { CheckBlocks } from "./check-blocks.tsx";
import styles from "./judgements.module.css";

type Evaluation = RunJudgementsFragment["policyEvaluations"][number];

/** The findings of policies, other services, check blocks and probes about a run. They are read again when the run changes. */
export function Judgements({ run }: { run: RunPageFragment }) {
  const [{ data, error, fetching }, reload] = useDocument(JudgementsDocument, { runId: run.id });
  useRereadOn(run.version, reload);
  const found = data?.run;
  if (error !== undefined) return <p role="alert">{error.message}</p>;
  if (found == null) return <p>{fetching ? "Loading…" : "There is nothing."}</p>;
  const { policyEvaluations, externalChecks, checks, verification } = found;
  const isEmpty = policyEvaluations.length + externalChecks.length === 0 && checks == null && verification == null;
  if (isEmpty) return <p>No policy, check or probe has judged this run.</p>;
  return (
    <>
      <WhyNoOverride run={run} />
      {policyEvaluations.map((evaluation) => (
        <PolicyEvaluation
          key={evaluation.id}
          evaluation={evaluation}
          isCurrent={isCurrent(run, evaluation)}
          workspace={found.workspace}
        />
      ))}
      {externalChecks.length > 0 && (
        <section aria-label="External checks">
          <h3>External checks</h3>
          <ul>
            {externalChecks.map(({ id, check, stage, status, level, message, url }) => (
              <li key={id}>
                {visible(check.name)}: <strong>{wordsOf(status)}</strong>{" "}
                <span className="quiet">
                  {wordsOf(stage)}, {wordsOf(level)}
                </span>{" "}
                {visible(message ?? "")}
                {url != null && /^https?:/.test(url) && (
                  <a href={url} rel="noopener noreferrer" target="_blank">
                    Details
                  </a>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {checks != null && <CheckBlocks checks={checks} />}
      {verification != null && <Verification verification={verification} />}
    </>
  );
}

const isCurrent = ({ plan }: RunPageFragment, { planVersion, shadow }: Evaluation): boolean =>
  !shadow && planVersion === (plan?.version ?? 0);

/** Why the person cannot override failures that wait for an override. */
function WhyNoOverride({ run: { actions, requiredAction } }: { run: RunPageFragment }) {
  const override = actions.find(({ action }) => action === "OVERRIDE_POLICIES");
  if (requiredAction !== "OVERRIDE_POLICY" || override?.reason == null) return null;
  return <p>You cannot override the failures. {visible(override.reason)}</p>;
}

interface PolicyEvaluationOf {
  readonly evaluation: Evaluation;
  /** Whether it is about the plan of now. */
  readonly isCurrent: boolean;
  readonly workspace: RunJudgementsFragment["workspace"];
}

function PolicyEvaluation({ evaluation, isCurrent: counts, workspace }: PolicyEvaluationOf) {
  const { version, status, point, planVersion, passed, error, shadow, results } = evaluation;
  const name = visible(version?.policySet?.name ?? "a policy set that is gone");
  return (
    <section aria-label={`Policies of ${name}`} className={counts ? undefined : styles["former"]}>
      <h3>
        {name} <span className="quiet">{version != null && `version ${version.number}`}</span>
      </h3>
      <p>
        <strong>{wordsOf(status)}</strong>{" "}
        <span className="quiet">
          {wordsOf(point)}, plan v{planVersion}, {passed} passed{shadow && ", a shadow that does not count"}
        </span>
      </p>
      {error != null && <p className="problem">{visible(error)}</p>}
      <ul>
        {results.edges.map(({ node }) => (
          <li key={node.id} className={styles["result"]}>
            <strong>{wordsOf(node.status)}</strong> {visible(node.message)}{" "}
            <span className="quiet">
              {visible(node.policy)}, {visible(node.rule)}, {wordsOf(node.level)}
              {node.overriddenBy != null && `, overridden by ${visible(node.overriddenBy.name)}`}
            </span>
            {node.addresses.length > 0 && (
              <div>
                {node.addresses.slice(0, 5).map((address) => (
                  <code key={address}>{visible(address)} </code>
                ))}
                {node.addresses.length > 5 && `and ${node.addresses.length - 5} more`}
              </div>
            )}
            {node.remediation != null && <div>{visible(node.remediation)}</div>}
            {node.exception != null && (
              <div className="quiet">
                An exception{node.exception.decidedBy != null && ` of ${visible(node.exception.decidedBy.name)}`} covers
                it, which ends <Ago at={node.exception.expiresAt} />.
              </div>
            )}
            {counts && isViolation(node) && (
              <RequestException workspace={workspace} policySet={version?.policySet} result={node} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether a result stops the run, unless it is overridden or an exception covers it. */
const isViolation = ({ status, level, overriddenBy }: Evaluation["results"]["edges"][number]["node"]): boolean =>
  status === "FAILED" && level !== "ADVISORY" && overriddenBy == null;

function Verification({ verification }: { verification: NonNullable<RunJudgementsFragment["verification"]> }) {
  const { status, reason, endsBy, finishedAt, baselinePassed, probes, concludedBy, comment } = verification;
  return (
    <section aria-label="Verification">
      <h3>
        Verification <span className="quiet">{wordsOf(status)}</span>
      </h3>
      {reason != null && <p>{visible(reason)}</p>}
      {baselinePassed === false && <p>It was red before the apply, too.</p>}
      {finishedAt == null && endsBy != null && (
        <p className="quiet">
          It ends <Ago at={endsBy} /> at the latest.
        </p>
      )}
      {concludedBy != null && (
        <p>
          Concluded by {visible(concludedBy.name)}: {visible(comment ?? "")}
        </p>
      )}
      <Table label="Probes" heads={["Probe", "Passes in a row", "Requests", "Target", "Last failure"]}>
        {probes.map(({ name, weight, passesInARow, needed, attempts, resolvedTarget, lastFailure }) => (
          <tr key={name}>
            <td>
              {visible(name)} <span className="quiet">{wordsOf(weight)}</span>
            </td>
            <td>
              {passesInARow} of {needed}
            </td>
            <td>{attempts}</td>
            <td>{visible(resolvedTarget ?? "")}</td>
            <td>{visible(lastFailure ?? "")}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

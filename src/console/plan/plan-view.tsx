import { useContext, useMemo, useState } from "react";
import { PlanDetailsDocument, type RunPageFragment } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { Counts } from "../parts/counts.tsx";
import { Ago } from "../parts/time.tsx";
import { useIsPrinted } from "../parts/use-is-printed.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import type { ChangeSearch, RunPageSearch } from "../run/run-page-search.ts";
import { Change, Dependencies, Differences } from "./change.tsx";
import { OutputChanges } from "./output-changes.tsx";
import { dangerOf, type DescribedChange, type Pattern } from "./pattern.ts";
import { Pick } from "./pick.tsx";
import { Picks } from "./picks.tsx";
import styles from "./plan-view.module.css";
import { shareSeen } from "./seen-changes.ts";
import { SeenContext, SeenMark } from "./seen-mark.tsx";
import { ShownChangeContext, useShown, useShowOnOpen } from "./shown-change.ts";
import { SIGNS } from "./signs.ts";
import { useChanges } from "./use-changes.ts";
import { useSeen } from "./use-seen.ts";
import { Versions } from "./versions.tsx";
import { Warnings } from "./warnings.tsx";

/** How many addresses of a pattern are shown before a person asks for more. */
const STEP = 50;

interface PlanViewProps {
  readonly run: RunPageFragment;
  readonly search: RunPageSearch;
  readonly onSearch: ChangeSearch;
}

/** A plan of a run: what takes something away first, then the odd changes, then the many that do the same. */
export function PlanView({ run, search, onSearch }: PlanViewProps) {
  const address = search.change ?? null;
  const shown = useMemo(() => ({ address, show: (change: string) => onSearch({ change }, true) }), [address, onSearch]);
  if (run.plan == null) return <p>There is no plan yet.</p>;
  const version = search.plan ?? run.plan.version;
  const plan = run.plans.find((known) => known.version === version);
  if (plan === undefined) return <p role="alert">The run has no plan v{version}.</p>;
  return (
    <>
      <Versions run={run} shown={plan} search={search} onSearch={onSearch} />
      <ShownChangeContext value={shown}>
        <Changes key={plan.id} run={run} plan={plan} />
      </ShownChangeContext>
    </>
  );
}

function Changes({ run, plan }: { run: RunPageFragment; plan: RunPageFragment["plans"][number] }) {
  const { patterns, count, isComplete, problem } = useChanges(plan.id);
  const [{ data }] = useDocument(PlanDetailsDocument, { id: plan.id });
  const details = data?.node?.__typename === "Plan" ? data.node : null;
  const isCurrent = plan.version === run.plan?.version;
  const shown = patterns.filter(({ action }) => action !== "NO_OP");
  const seen = useSeen(run.id);
  const seenCount = shown.filter(({ changes }) => shareSeen(changes, seen.seen) === "ALL").length;
  return (
    <Picks run={run} isCurrent={isCurrent}>
      {!isCurrent && (
        <p role="note" className={styles["former"]}>
          <strong>Plan v{plan.version} is not the current one.</strong> v{run.plan?.version} took its place, and nothing
          is decided about it any more. <Counts plan={details} />
          {details !== null && (
            <span className="quiet">
              {" "}
              made <Ago at={details.createdAt} />
            </span>
          )}
        </p>
      )}
      {problem !== null && <p role="alert">{problem}</p>}
      {details?.complete === false && (
        <p role="note">The plan is not complete: parts of the configuration were left out.</p>
      )}
      {details !== null && details.targets.length > 0 && (
        <p role="note">Limited to {visible(details.targets.join(", "))}</p>
      )}
      <p className="quiet" aria-live="polite">
        {isComplete
          ? `${count} ${count === 1 ? "change" : "changes"} in ${shown.length} ${shown.length === 1 ? "pattern" : "patterns"}`
          : `Reading the changes: ${count} so far…`}
        {seenCount > 0 && `, ${seenCount} seen`}
      </p>
      <SeenContext value={seen}>
        {shown.map((pattern) => (
          <PatternView key={pattern.key} pattern={pattern} />
        ))}
      </SeenContext>
      <OutputChanges outputs={details?.outputChanges ?? []} />
      <Warnings run={run} diagnostics={details?.diagnostics ?? []} />
    </Picks>
  );
}

function PatternView({ pattern: { action, type, changes } }: { pattern: Pattern }) {
  const [limit, setLimit] = useState(STEP);
  const { address } = useContext(ShownChangeContext);
  const at = address === null ? -1 : changes.findIndex(({ change }) => change.address === address);
  if (at >= limit) setLimit(at + STEP);
  const isOne = changes.length === 1;
  const isShown = isOne && at === 0;
  const details = useShown(isShown);
  const showOnOpen = useShowOnOpen();
  const isPrinted = useIsPrinted();
  const [first] = changes;
  if (first === undefined) return null;
  const isDangerous = dangerOf(action) <= dangerOf("FORGET");
  const shown = isPrinted ? changes : changes.slice(0, limit);
  const subject = isOne ? first.change.address : `${changes.length} × ${type}`;
  return (
    <div className={styles["pattern"]} data-row="group">
      <Pick changes={changes} label={subject} />
      <details ref={details} data-action={action} data-shown={isShown || undefined} open={isDangerous || isOne}>
        <summary data-stop="group" onClick={(event) => isOne && showOnOpen(event, first.change.address)}>
          <span aria-hidden="true" className={styles["sign"]}>
            {SIGNS[action] ?? "!"}
          </span>
          <span className="hidden">{wordsOf(action)} </span>
          <code>{visible(subject)}</code>
          {isOne ? <Notes change={first} /> : <span className="quiet"> {visible(summaryOf(first))}</span>}
        </summary>
        {isOne ? (
          <>
            <Differences differences={first.differences} />
            <Dependencies of={first.change} />
          </>
        ) : (
          <>
            {action === "UPDATE" && <Differences differences={first.differences} />}
            {shown.map((described) => (
              <Change key={described.change.address} described={described} />
            ))}
            {changes.length > shown.length && (
              <button type="button" onClick={() => setLimit(limit + STEP * 4)}>
                {changes.length - shown.length} more
              </button>
            )}
          </>
        )}
      </details>
      <SeenMark changes={changes} label={subject} />
    </div>
  );
}

/** Facts beside the attributes: moves, imports, the order of a replacement. */
function Notes({ change: { change } }: { change: DescribedChange }) {
  const { previousAddress, imported, createBeforeDestroy, action, replacePaths = [], reason } = change;
  return (
    <span className="quiet">
      {previousAddress != null && ` moved from ${visible(previousAddress)}`}
      {imported && " imported"}
      {action === "REPLACE" &&
        (createBeforeDestroy === true ? " created before the old one is destroyed" : " destroyed, then created again")}
      {replacePaths.length > 0 && ` because of ${visible(replacePaths.join(", "))}`}
      {replacePaths.length === 0 && reason != null && ` (${wordsOf(reason)})`}
      {action === "FORGET" && " no longer managed, not destroyed"}
    </span>
  );
}

/** The attributes that all changes of a pattern change. */
function summaryOf({ differences, change: { action } }: DescribedChange): string {
  if (action !== "UPDATE" && action !== "REPLACE") return "";
  const paths = differences.filter(({ kind }) => kind !== "UNKNOWN").map(({ path }) => path);
  return paths.length > 3 ? `${paths.slice(0, 3).join(", ")} and ${paths.length - 3} more` : paths.join(", ");
}

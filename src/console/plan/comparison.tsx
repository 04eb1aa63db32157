import { ComparedChangesDocument, PlanComparisonDocument, type ComparedChangeFragment } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { Differences } from "./change.tsx";
import { compareChanges, type ComparedChange } from "./compare-changes.ts";
import styles from "./plan-view.module.css";

/** Changes of a group that are shown. */
const SHOWN = 100;
/** A group with more changes is closed at first. */
const OPENED = 10;

/** A plan of a run, as far as a comparison names it. */
interface ComparedPlan {
  readonly id: string;
  readonly version: number;
}

/** The differences between two plans of a run, by what a person sees of their changes. */
export function Comparison({ plan, other }: { plan: ComparedPlan; other: ComparedPlan }) {
  const [{ data, error }] = useDocument(PlanComparisonDocument, { id: plan.id, with: other.version });
  if (error !== undefined) return <p role="alert">{error.message}</p>;
  const comparison = data?.node != null && "comparison" in data.node ? data.node.comparison : null;
  if (comparison === null) return <p>Loading…</p>;
  const { added, removed, altered, sameCount } = comparison;
  return (
    <section aria-label={`Comparison with plan v${other.version}`} className={styles["comparison"]}>
      <p>
        Between v{other.version} and v{plan.version}: {added.length} new, {removed.length} gone, {altered.length}{" "}
        different. {sameCount} {sameCount === 1 ? "is" : "are"} as in v{other.version}.
      </p>
      {altered.length > 0 && <Altered plan={plan} other={other} changes={altered} />}
      <Group title={`Only in v${plan.version}`} changes={added} />
      <Group title={`Only in v${other.version}`} changes={removed} />
    </section>
  );
}

function Group({ title, changes }: { title: string; changes: readonly ComparedChangeFragment[] }) {
  if (changes.length === 0) return null;
  return (
    <details open={changes.length <= OPENED}>
      <summary>
        {title}: {changes.length}
      </summary>
      <ul>
        {changes.slice(0, SHOWN).map(({ address, action }) => (
          <li key={address}>
            <code>{visible(address)}</code> <span className="quiet">{wordsOf(action)}</span>
          </li>
        ))}
        <More count={changes.length - SHOWN} />
      </ul>
    </details>
  );
}

interface AlteredProps {
  readonly plan: ComparedPlan;
  readonly other: ComparedPlan;
  readonly changes: readonly ComparedChangeFragment[];
}

/** The changes that both plans have in another way, each with the attributes in which the two differ. */
function Altered({ plan, other, changes }: AlteredProps) {
  const shown = changes.slice(0, SHOWN);
  const addresses = shown.map(({ address }) => address);
  const [{ data, error }] = useDocument(ComparedChangesDocument, { ids: [other.id, plan.id], addresses });
  const [before, after] = (data?.nodes ?? []).map((node) =>
    node != null && "resourceChanges" in node ? node.resourceChanges.edges.map((edge) => edge.node) : [],
  );
  const changeOf = (list: readonly ComparedChange[] | undefined, address: string): ComparedChange | undefined =>
    list?.find((change) => change.address === address);
  return (
    <>
      <h3>Different</h3>
      {error !== undefined && <p role="alert">{error.message}</p>}
      <ul>
        {shown.map(({ address, action }) => (
          <li key={address}>
            <code>{visible(address)}</code>{" "}
            <AlteredChange
              action={action}
              versions={[other.version, plan.version]}
              was={changeOf(before, address)}
              is={changeOf(after, address)}
            />
          </li>
        ))}
        <More count={changes.length - SHOWN} />
      </ul>
    </>
  );
}

interface AlteredChangeProps {
  readonly action: string;
  readonly versions: readonly [was: number, is: number];
  /** Absent until both are read. */
  readonly was: ComparedChange | undefined;
  readonly is: ComparedChange | undefined;
}

function AlteredChange({ action, versions: [old, now], was, is }: AlteredChangeProps) {
  if (was === undefined || is === undefined) return <span className="quiet">{wordsOf(action)}</span>;
  const { results, origins } = compareChanges(was, is);
  return (
    <>
      <span className="quiet">
        {was.action === is.action
          ? wordsOf(action)
          : `${wordsOf(was.action)} in v${old}, ${wordsOf(is.action)} in v${now}`}
      </span>
      {results.length > 0 && (
        <>
          <p className="quiet">
            After the apply, − by v{old} and + by v{now}:
          </p>
          <Differences differences={results} />
        </>
      )}
      {origins.length > 0 && (
        <>
          <p className="quiet">
            Before the apply, − as v{old} found it and + as v{now} did:
          </p>
          <Differences differences={origins} />
        </>
      )}
      {results.length === 0 && origins.length === 0 && was.action === is.action && (
        <p className="quiet">The values that are shown are equal: the reasons differ, or where it is moved from.</p>
      )}
    </>
  );
}

function More({ count }: { count: number }) {
  return count > 0 ? <li>and {count} more</li> : null;
}

import { PlanComparisonDocument, type ComparedChangeFragment } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

/** Addresses of a group that are shown. */
const SHOWN = 100;

/** The differences between two plans of a run, by what a person sees of their changes. */
export function Comparison({ planId, version, other }: { planId: string; version: number; other: number }) {
  const [{ data, error }] = useDocument(PlanComparisonDocument, { id: planId, with: other });
  if (error !== undefined) return <p role="alert">{error.message}</p>;
  const comparison = data?.node != null && "comparison" in data.node ? data.node.comparison : null;
  if (comparison === null) return <p>Loading…</p>;
  const { added, removed, altered, sameCount } = comparison;
  return (
    <section aria-label={`Comparison with plan v${other}`}>
      <p>
        Between v{other} and v{version}: {added.length} new, {removed.length} gone, {altered.length} different.{" "}
        {sameCount} {sameCount === 1 ? "is" : "are"} as in v{other}.
      </p>
      <Group title={`Only in v${version}`} changes={added} />
      <Group title="Different" changes={altered} />
      <Group title={`Only in v${other}`} changes={removed} />
    </section>
  );
}

function Group({ title, changes }: { title: string; changes: readonly ComparedChangeFragment[] }) {
  if (changes.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {changes.slice(0, SHOWN).map(({ address, action }) => (
          <li key={address}>
            <code>{visible(address)}</code> <span className="quiet">{wordsOf(action)}</span>
          </li>
        ))}
        {changes.length > SHOWN && <li>and {changes.length - SHOWN} more</li>}
      </ul>
    </>
  );
}

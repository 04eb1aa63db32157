import { StateDifferencesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

const LISTED = 20;

/** The changes of a state where one version takes the place of another. */
export function StateDifferences({ workspaceId, from, to }: { workspaceId: string; from: string; to: string }) {
  const [{ data, error, fetching }] = useDocument(StateDifferencesDocument, { id: workspaceId, from, to });
  const comparison = data?.workspace?.stateComparison;
  if (comparison == null) return <p>{error?.message ?? (fetching ? "Comparing…" : "They cannot be compared.")}</p>;
  const { addedCount, changedCount, removedCount, resources } = comparison;
  return (
    <section aria-label="Differences">
      <p>
        {removedCount} removed, {changedCount} changed, {addedCount} added
      </p>
      <ul>
        {resources.slice(0, LISTED).map(({ action, resource: { address } }) => (
          <li key={address}>
            {wordsOf(action)} <code>{visible(address)}</code>
          </li>
        ))}
        {resources.length > LISTED && <li>and {resources.length - LISTED} more</li>}
      </ul>
    </section>
  );
}

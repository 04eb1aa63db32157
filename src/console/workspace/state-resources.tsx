import { useState } from "react";
import { StateResourcesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { visible } from "../parts/visible.ts";

/** The resources in a version of a state, by address. They are read when a person opens them. */
export function StateResources({ versionId }: { versionId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Resources</summary>
      {isOpen && <Addresses versionId={versionId} />}
    </details>
  );
}

function Addresses({ versionId }: { versionId: string }) {
  const [{ data, error, fetching }] = useDocument(StateResourcesDocument, { id: versionId });
  const resources = data?.node?.__typename === "StateVersion" ? data.node.resources : null;
  if (resources === null) return <p>{error?.message ?? (fetching ? "Loading…" : "There is nothing.")}</p>;
  const { nodes, totalCount } = resources;
  return (
    <ul>
      {nodes.map(({ address, dependsOn }) => (
        <li key={address}>
          <code>{visible(address)}</code>
          {dependsOn.length > 0 && <span className="quiet"> depends on {visible(dependsOn.join(", "))}</span>}
        </li>
      ))}
      {totalCount > nodes.length && <li>and {totalCount - nodes.length} more</li>}
    </ul>
  );
}

import { useState } from "react";
import { StateResourcesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import styles from "../parts/commands.module.css";
import { textOfField } from "../parts/field.ts";
import { visible } from "../parts/visible.ts";

/** The resources in a version of a state, by address. They are read when a person opens them. */
export function StateResources({ versionId }: { versionId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Resources</summary>
      {isOpen && <Search versionId={versionId} />}
    </details>
  );
}

/** A field for a part of the addresses, and what matches it. */
function Search({ versionId }: { versionId: string }) {
  const [search, setSearch] = useState("");
  return (
    <>
      <search>
        <form
          className={styles["commands"]}
          onSubmit={(event) => {
            event.preventDefault();
            setSearch(textOfField(event.currentTarget, "search"));
          }}
        >
          <label>
            Part of the address <input name="search" type="search" />
          </label>
          <button type="submit">Find</button>
        </form>
      </search>
      <Pages key={search} versionId={versionId} search={search} />
    </>
  );
}

/** The pages that were opened so far. */
function Pages({ versionId, search }: { versionId: string; search: string }) {
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  return cursors.map((after, index) => (
    <Page
      key={after}
      versionId={versionId}
      search={search}
      after={after}
      onMore={index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : null}
    />
  ));
}

interface PageProps {
  readonly versionId: string;
  readonly search: string;
  readonly after: string | null;
  /** Opens the next page; `null` on a page that is not the last one. */
  readonly onMore: ((after: string) => void) | null;
}

function Page({ versionId, search, after, onMore }: PageProps) {
  const [{ data, error, fetching }] = useDocument(StateResourcesDocument, { id: versionId, search, after });
  const resources = data?.node?.__typename === "StateVersion" ? data.node.resources : null;
  if (resources === null) return <p>{error?.message ?? (fetching ? "Loading…" : "There is nothing.")}</p>;
  const { nodes, totalCount, pageInfo } = resources;
  const { hasNextPage, endCursor } = pageInfo;
  return (
    <>
      {after === null && (
        <output>
          {totalCount} {totalCount === 1 ? "resource" : "resources"}
        </output>
      )}
      <ul>
        {nodes.map(({ address, dependsOn }) => (
          <li key={address}>
            <code>{visible(address)}</code>
            {dependsOn.length > 0 && <span className="quiet"> depends on {visible(dependsOn.join(", "))}</span>}
          </li>
        ))}
      </ul>
      {hasNextPage && endCursor != null && onMore !== null && (
        <button type="button" onClick={() => onMore(endCursor)}>
          Show more
        </button>
      )}
    </>
  );
}

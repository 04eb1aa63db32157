import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { PageTitle } from "../inbox/page-title.tsx";
import { type RunFilter, OrganizationRunsDocument, RunsDocument, type RunRowFragment } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { linkStatus } from "../live/link.ts";
import { Commands } from "../parts/commands.tsx";
import { visible } from "../parts/visible.ts";
import { useSession } from "../session/viewer.tsx";
import { BulkCommand } from "./bulk-command.tsx";
import { BulkOperations } from "./bulk-operations.tsx";
import { namesIn, readRunQuery } from "./run-query.ts";
import { RunQueryField } from "./run-query-field.tsx";
import { type RunSearch, SHOWN } from "./run-search.ts";
import { RunTable } from "./run-table.tsx";
import { useActors } from "./use-actors.ts";
import styles from "./runs-page.module.css";

const FILTERS: Record<RunSearch["show"], RunFilter> = {
  all: {},
  waiting: { needsApproval: true },
};

/** The page counts no more changed runs than that. */
const MOST_OTHERS = 100;

/** The runs of an organization, newest first. New ones wait until a person asks for them, so that no row moves. */
export function RunsPage() {
  const { organization: slug } = useParams({ from: "/shell/o/$organization/runs" });
  const search = useSearch({ from: "/shell/o/$organization/runs" });
  const navigate = useNavigate({ from: "/o/$organization/runs" });
  const organization = useSession().organizations.find((known) => known.slug === slug);
  const viewerId = useSession().actor.id;
  const text = search.q ?? "";
  // The durations of a text count back from when the page was opened.
  const [now] = useState(() => Date.now());
  const names = useMemo(() => namesIn(text), [text]);
  const actors = useActors(names);
  const query = useMemo(() => readRunQuery(text, { viewerId, now, actors }), [text, viewerId, now, actors]);
  // Before a name is known, a list without its filter would be of other runs.
  const isLookedUp = names.every((name) => actors.has(name));
  const filter = useMemo(() => {
    const own = organization === undefined ? {} : { organizationId: organization.id };
    return { ...query.filter, ...own, ...FILTERS[search.show] };
  }, [organization, search.show, query]);
  const [{ data, error, fetching }, reload] = useDocument(
    RunsDocument,
    { filter, after: search.after ?? null },
    { pause: organization === undefined || !isLookedUp },
  );
  const runs = data?.runs.edges.map(({ node }) => node) ?? [];
  const [begun, setBegun] = useState(0);
  // A part of the filter that is not understood selects nothing: an action would be on more runs than was meant.
  const isNarrow =
    (search.show !== "all" || query.terms.length > 0) && query.terms.every((term) => term.filter !== null);
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set());
  // The frame follows all organizations: on a page that is live the stream has begun.
  const isFollowed = useRef(linkStatus().state === "LIVE");
  useStream(
    OrganizationRunsDocument,
    { organizationId: organization?.id ?? "" },
    {
      pause: organization === undefined,
      onItem: ({ organizationEvents: item }) => {
        // The list may be older than the beginning of the stream.
        if (item.__typename === "CursorExpired" || (item.__typename === "StreamCheckpoint" && !isFollowed.current))
          reload();
        isFollowed.current = item.__typename !== "CursorExpired";
        if (!("run" in item)) return;
        const { id } = item.run;
        setOthers((known) => (known.has(id) || known.size >= MOST_OTHERS ? known : new Set([...known, id])));
      },
    },
  );
  const shown = new Set(runs.map(({ id }: RunRowFragment) => id));
  const fresh = [...others].filter((id) => !shown.has(id)).length;
  if (organization === undefined) return <p>There is no organization {slug} that you may see.</p>;
  const name = visible(organization.name);
  return (
    <>
      <PageTitle>{`Runs - ${name}`}</PageTitle>
      <h1>Runs of {name}</h1>
      <nav className={styles["filters"]} aria-label="Filter">
        {SHOWN.map((show) => (
          <Link
            key={show}
            to="/o/$organization/runs"
            params={{ organization: slug }}
            search={{ show, q: search.q }}
            aria-current={show === search.show ? "page" : undefined}
          >
            {show}
          </Link>
        ))}
      </nav>
      <RunQueryField
        key={text}
        text={text}
        terms={query.terms}
        onSubmit={(q) => void navigate({ search: { show: search.show, q } })}
      />
      {error !== undefined && <p role="alert">{error.message}</p>}
      <Commands>
        {fresh > 0 && search.after === undefined && (
          <button
            type="button"
            onClick={() => {
              setOthers(new Set());
              reload();
            }}
          >
            ▲ {fresh >= MOST_OTHERS ? `${MOST_OTHERS} or` : fresh} more {fresh === 1 ? "run has" : "runs have"} changed
          </button>
        )}
        {isNarrow && runs.length > 0 && <BulkCommand filter={filter} onDone={() => setBegun(begun + 1)} />}
      </Commands>
      <BulkOperations begun={begun} />
      <div className="panel">
        {runs.length === 0 ? (
          <p>{fetching ? "Loading…" : "No runs."}</p>
        ) : (
          <RunTable runs={runs} label={`Runs of ${name}`} />
        )}
      </div>
      {data?.runs.pageInfo.hasNextPage === true && (
        <Link
          to="/o/$organization/runs"
          params={{ organization: slug }}
          search={{ show: search.show, q: search.q, after: data.runs.pageInfo.endCursor ?? undefined }}
        >
          Older runs
        </Link>
      )}
    </>
  );
}

import { Link, useSearch } from "@tanstack/react-router";
import { PageTitle } from "./page-title.tsx";
import { InboxDocument, type InboxReason, type InboxRowFragment } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { Counts } from "../parts/counts.tsx";
import { Status } from "../parts/status.tsx";
import { Ago } from "../parts/time.tsx";
import { useTick } from "../parts/use-tick.ts";
import { wordsOf } from "../parts/words.ts";
import { RunLink } from "../runs/run-link.tsx";
import { NotifyChoice } from "./notify-choice.tsx";
import { useInboxReload } from "./use-inbox-reload.ts";
import { visible } from "../parts/visible.ts";
import styles from "./inbox-page.module.css";

interface Group {
  readonly title: string;
  readonly empty: string;
  readonly reasons: readonly InboxReason[];
}

/** The groups of an inbox. A reason of a later release is shown in the last one. */
const GROUPS: readonly Group[] = [
  { title: "For you", empty: "Nothing waits for you.", reasons: ["YOUR_APPROVAL"] },
  { title: "For others", empty: "Nothing.", reasons: ["ESCALATED", "OTHERS_APPROVAL"] },
  { title: "Yours", empty: "No run of yours waits or has failed.", reasons: ["YOUR_RUN"] },
  { title: "Needs a hand", empty: "Nothing.", reasons: ["STATE_UNKNOWN", "RECOVERED_STATE", "FAILED"] },
];

/** The runs that need people, of all organizations: those that wait for the viewer are first, the oldest before others. */
export function InboxPage() {
  const { after } = useSearch({ from: "/shell/inbox" });
  const [{ data, error, fetching }, reload] = useDocument(InboxDocument, { after: after ?? null });
  const inbox = data?.viewer.inbox;
  useInboxReload(error === undefined ? inbox?.streamCursor : null, reload);
  // A rule that changes is no change of the inbox, and the approvals that are missing follow from it.
  useTick(reload);
  const items = inbox?.edges.map(({ node }) => node) ?? [];
  const known = GROUPS.flatMap(({ reasons }) => reasons);
  const groups = GROUPS.map((group, at) => ({
    ...group,
    items: items.filter(
      ({ reason }) => group.reasons.includes(reason) || (at === GROUPS.length - 1 && !known.includes(reason)),
    ),
  }));
  return (
    <>
      <PageTitle>Inbox</PageTitle>
      <h1>Inbox</h1>
      <NotifyChoice />
      {error !== undefined && <p role="alert">{error.message}</p>}
      {groups.map((group) => (
        <Waits key={group.title} group={group} isLoading={inbox === undefined && fetching} />
      ))}
      {inbox?.pageInfo.hasNextPage === true && (
        <Link to="/inbox" search={{ after: inbox.pageInfo.endCursor ?? undefined }}>
          Newer ones
        </Link>
      )}
    </>
  );
}

interface WaitsProps {
  readonly group: Group & { readonly items: readonly InboxRowFragment[] };
  readonly isLoading: boolean;
}

function Waits({ group: { title, empty, items }, isLoading }: WaitsProps) {
  const heading = `${title} ${items.length}`;
  return (
    <section className="panel" aria-label={heading}>
      <h2>{heading}</h2>
      {items.length === 0 && <p className="quiet">{isLoading ? "Loading…" : empty}</p>}
      <ul className={styles["list"]}>
        {items.map((item) => (
          <Item key={item.run.id} item={item} />
        ))}
      </ul>
    </section>
  );
}

function Item({ item: { run, reason, requirement, since } }: { item: InboxRowFragment }) {
  return (
    <li>
      <span>
        <RunLink run={run} />
        {run.escalatedAt != null && <strong className="problem"> escalated</strong>}
      </span>
      <Status run={run} />
      <Counts plan={run.plan} />
      <span className="quiet">
        {visible(run.createdBy.name)}, <Ago at={since} />
      </span>
      <span className="quiet">
        {requirement == null
          ? wordsOf(reason)
          : [requirement.stage, `${requirement.missing} missing`, requirement.viewerReason]
              .filter((part) => part != null)
              .map(visible)
              .join(": ")}
      </span>
    </li>
  );
}

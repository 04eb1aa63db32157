import { InboxDocument, type InboxQuery, OrganizationRunsDocument } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { Counts } from "../parts/counts.tsx";
import { Status } from "../parts/status.tsx";
import { Ago } from "../parts/time.tsx";
import { RunLink } from "../runs/run-link.tsx";
import { type Session, useSession } from "../session/viewer.tsx";
import styles from "./inbox-page.module.css";

type Waiting = InboxQuery["runs"]["edges"][number]["node"];

const isForViewer = ({ approvalRequirements }: Waiting): boolean =>
  approvalRequirements.some(({ current, satisfied, viewerCanApprove }) => current && !satisfied && viewerCanApprove);

/** The runs that wait for people, of all organizations: those that wait for the viewer are first, the oldest before others. */
export function InboxPage() {
  const { organizations } = useSession();
  const [{ data, error, fetching }] = useDocument(InboxDocument, { organizationId: null });
  const waiting = (data?.runs.edges.map(({ node }) => node) ?? [])
    // A run that was decided about stays where it is until the page is asked again; it asks for nothing.
    .filter(({ isTerminal }) => !isTerminal)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  const [mine, others] = [waiting.filter(isForViewer), waiting.filter((run) => !isForViewer(run))];
  return (
    <>
      <title>{mine.length > 0 ? `(${mine.length}) Inbox - Holdpoint` : "Inbox - Holdpoint"}</title>
      <h1>Inbox</h1>
      {organizations.map((organization) => (
        <OrganizationWatch key={organization.id} organization={organization} />
      ))}
      {error !== undefined && <p role="alert">{error.message}</p>}
      <Waits heading={`For you ${mine.length}`} runs={mine} empty={fetching ? "Loading…" : "Nothing waits for you."} />
      <Waits heading={`For others ${others.length}`} runs={others} empty={fetching ? "Loading…" : "Nothing."} />
    </>
  );
}

/** Follows the runs of an organization, and asks again where one begins or ends to wait. */
function OrganizationWatch({ organization }: { organization: Session["organizations"][number] }) {
  const [, reload] = useDocument(InboxDocument, { organizationId: null }, { pause: true });
  useStream(
    OrganizationRunsDocument,
    { organizationId: organization.id },
    {
      onItem: ({ organizationEvents: item }) => {
        if (item.__typename === "RunStatusChanged" || item.__typename === "ApprovalRecorded") {
          reload({ requestPolicy: "network-only" });
        }
      },
    },
  );
  return null;
}

function Waits({ heading, runs, empty }: { heading: string; runs: readonly Waiting[]; empty: string }) {
  return (
    <section className="panel" aria-label={heading}>
      <h2>{heading}</h2>
      {runs.length === 0 && <p className="quiet">{empty}</p>}
      <ul className={styles["list"]}>
        {runs.map((run) => (
          <li key={run.id}>
            <span>
              <RunLink run={run} />
              {run.escalatedAt != null && <strong className="problem"> escalated</strong>}
            </span>
            <Status run={run} />
            <Counts plan={run.plan} />
            <span className="quiet">
              {run.createdBy.name}, <Ago at={run.createdAt} />
            </span>
            <span className="quiet">{missingOf(run)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Describes who is missing, or why the viewer does not count. */
function missingOf({ approvalRequirements }: Waiting): string {
  const open = approvalRequirements.filter(({ current, satisfied }) => current && !satisfied);
  return open
    .map(({ stage, missing, viewerReason }) =>
      [stage, `${missing} missing`, viewerReason].filter((part) => part != null).join(": "),
    )
    .join("; ");
}

import { Link } from "@tanstack/react-router";
import { OrganizationRunsDocument, OverviewDocument, type OverviewQuery } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { Counts } from "../parts/counts.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Mark } from "../parts/mark.tsx";
import { Status } from "../parts/status.tsx";
import { Ago } from "../parts/time.tsx";
import { useReread } from "../parts/use-reread.ts";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { Progress } from "../runs/progress.tsx";
import { RunLink } from "../runs/run-link.tsx";
import { OrganizationPage } from "./organization-page.tsx";
import { Activity } from "./activity.tsx";
import { useRecentFigures } from "./recent-figures.ts";
import styles from "./overview-page.module.css";

type Hand = OverviewQuery["viewer"]["inbox"]["edges"][number]["node"];
type Runs<TName extends "waiting" | "running" | "queued"> = OverviewQuery[TName]["edges"][number]["node"];

/** An organization in short: what waits for people, what is at work, and what needs a hand. */
export function OverviewPage() {
  return (
    <OrganizationPage title="Overview">
      {({ id, slug }) => <OverviewView key={id} organizationId={id} organization={slug} />}
    </OrganizationPage>
  );
}

function OverviewView({ organizationId, organization }: { organizationId: string; organization: string }) {
  const [read, onChange] = useDocument(OverviewDocument, { organization, organizationId });
  const reread = useReread(onChange);
  const [figures, readFigures] = useRecentFigures(organization);
  const onEnd = useReread(readFigures);
  useStream(
    OrganizationRunsDocument,
    { organizationId },
    {
      onItem: ({ organizationEvents: item }) => {
        reread();
        if (item.__typename === "RunStatusChanged" && item.run.isTerminal) onEnd();
      },
    },
  );
  useTick(onChange);
  const { data } = read;
  const waiting = nodesOf(data?.waiting).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  const running = nodesOf(data?.running);
  const queued = nodesOf(data?.queued);
  const hands = nodesOf(data?.viewer.inbox).filter(
    ({ reason, run }) => run.workspace.organization.slug === organization && (reason !== "YOUR_RUN" || run.isTerminal),
  );
  const activity = data?.organization?.activity;
  const gone = nodesOf(data?.organization?.runners).filter(
    ({ state, revokedAt, drainRequestedAt }) => state === "OFFLINE" && revokedAt == null && drainRequestedAt == null,
  );
  return (
    <div className={styles["sections"]}>
      {activity !== undefined && <Activity activity={activity} figures={figures} />}
      <section className="panel" aria-label="Waits for people">
        <h2>Waits for people {countOf(waiting)}</h2>
        <ListState read={read} count={waiting.length} empty="Nothing waits for a decision." />
        <ul className={styles["list"]}>
          {waiting.map((run) => (
            <Waiting key={run.id} run={run} />
          ))}
        </ul>
      </section>
      <section className="panel" aria-label="At work">
        <h2>At work {countOf(running)}</h2>
        <ListState read={read} count={running.length} empty="No run is at work." />
        <ul className={styles["list"]}>
          {running.map((run) => (
            <Running key={run.id} run={run} />
          ))}
        </ul>
        <Queue runs={queued} />
      </section>
      <section className="panel" aria-label="Needs a hand">
        <h2>Needs a hand {countOf([...hands, ...gone])}</h2>
        <ListState read={read} count={hands.length + gone.length} empty="Nothing needs a hand." />
        <ul className={styles["list"]}>
          {hands.map((hand) => (
            <NeedsHand key={hand.run.id} hand={hand} />
          ))}
          {gone.map(({ id, name, lastSeenAt, pool }) => (
            <li key={id}>
              <Link to="/o/$organization/runners" params={{ organization }}>
                runner {visible(name)}
              </Link>
              <Mark tone="bad">
                offline, last seen <Ago at={lastSeenAt} />
              </Mark>
              {pool != null && <span className="quiet">{pool.name}</span>}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function nodesOf<T>(connection: { readonly edges: readonly { readonly node: T }[] } | undefined): T[] {
  return connection?.edges.map(({ node }) => node) ?? [];
}

/** A list reads 50 rows: more are shown as such. */
const countOf = (rows: readonly unknown[]): string => (rows.length >= 50 ? "50 or more" : String(rows.length));

function Waiting({ run }: { run: Runs<"waiting"> }) {
  const open = run.approvalRequirements.filter(({ current, satisfied }) => current && !satisfied);
  const isForViewer = open.some(({ viewerCanApprove }) => viewerCanApprove);
  return (
    <li>
      <RunLink run={run} />
      <Status run={run} />
      <Counts plan={run.plan} />
      {isForViewer && <strong>for you</strong>}
      {run.escalatedAt != null && <strong className="problem">escalated</strong>}
      <span className="quiet">
        made <Ago at={run.createdAt} />,{" "}
        {open
          .map(({ stage, missing }) => (stage == null ? `${missing} missing` : `${visible(stage)}: ${missing} missing`))
          .join("; ")}
      </span>
    </li>
  );
}

function Running({ run }: { run: Runs<"running"> }) {
  return (
    <li>
      <RunLink run={run} />
      <Status run={run} />
      <Counts plan={run.plan} />
      <Progress of={run.workspace.name} progress={run.progress} />
    </li>
  );
}

/** The runs that wait for their turn, folded: each with its reason. */
function Queue({ runs }: { runs: readonly Runs<"queued">[] }) {
  if (runs.length === 0) return null;
  return (
    <details>
      <summary>Queue {countOf(runs)}</summary>
      <ul className={styles["list"]}>
        {runs.map((run) => (
          <li key={run.id}>
            <RunLink run={run} />
            <Counts plan={run.plan} />
            <span className="quiet">{run.blockers.map(({ message }) => visible(message)).join(" ")}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function NeedsHand({ hand: { reason, since, run } }: { hand: Hand }) {
  const { workspace, failure } = run;
  return (
    <li>
      <RunLink run={run} />
      <Status run={run} />
      <Counts plan={run.plan} />
      {reason !== "FAILED" && reason !== "YOUR_RUN" && <strong className="problem">{wordsOf(reason)}</strong>}
      <span>{visible(failure?.summary ?? "")}</span>
      {workspace.lock != null && (
        <strong className="problem">
          locked: {wordsOf(workspace.lock.reason)}, <Ago at={workspace.lock.since} />
        </strong>
      )}
      <span className="quiet">
        <Ago at={since} />
      </span>
    </li>
  );
}

import { OrganizationRunsDocument, RunnersDocument, type RunnersQuery } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Ago } from "../parts/time.tsx";
import { useReread } from "../parts/use-reread.ts";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { RunLink } from "../runs/run-link.tsx";
import { NewPool } from "./new-pool.tsx";
import { Pool } from "./pool.tsx";
import { RunnerTable } from "./runner-table.tsx";

type Waiting = RunnersQuery["runs"]["edges"][number]["node"];

/** The runners of an organization by pool, and the runs that no runner takes. */
export function RunnersPage() {
  return (
    <OrganizationPage title="Runners">
      {({ id, slug }) => <RunnersView organizationId={id} organization={slug} />}
    </OrganizationPage>
  );
}

function RunnersView({ organizationId, organization }: { organizationId: string; organization: string }) {
  const [read, onChange] = useDocument(RunnersDocument, { organization, organizationId });
  const reread = useReread(onChange);
  useStream(
    OrganizationRunsDocument,
    { organizationId },
    { onItem: ({ organizationEvents: item }) => "run" in item && reread() },
  );
  // Heartbeats are no events.
  useTick(onChange);
  const { viewer, organization: found, runs } = read.data ?? {};
  const permissions = found?.viewerPermissions ?? [];
  const runners = found?.runners.edges.map(({ node }) => node) ?? [];
  const shared = runners.filter(({ pool }) => pool == null);
  const pools = found?.runnerPools ?? [];
  return (
    <>
      <NoRunner runs={runs?.edges.map(({ node }) => node) ?? []} />
      {permissions.includes("RUNNER_POOL_WRITE") && <NewPool organizationId={organizationId} onDone={onChange} />}
      <ListState read={read} count={pools.length + shared.length} empty="There is no runner yet. Make a pool first." />
      {pools.map((pool) => (
        <Pool
          key={pool.id}
          pool={pool}
          runners={runners.filter((runner) => runner.pool?.id === pool.id)}
          canCommand={permissions.includes("RUNNER_COMMAND")}
          canWrite={permissions.includes("RUNNER_POOL_WRITE")}
          onChange={onChange}
        />
      ))}
      {shared.length > 0 && (
        <section className="panel" aria-label="Shared runners">
          <h2>Shared by all organizations</h2>
          <RunnerTable
            label="Shared runners"
            runners={shared}
            canCommand={viewer?.isAdmin === true}
            onChange={onChange}
          />
        </section>
      )}
      {found?.runners.pageInfo.hasNextPage === true && <p className="quiet">Only 100 runners are shown.</p>}
    </>
  );
}

/** The runs that wait for a runner, with the pool and the labels that they need. */
function NoRunner({ runs }: { runs: readonly Waiting[] }) {
  const waits = runs.flatMap((run) =>
    run.blockers.filter(({ kind }) => kind === "NO_RUNNER").map((blocker) => ({ run, blocker })),
  );
  if (waits.length === 0) return null;
  return (
    <section className="panel" aria-label="Runs without a runner">
      <h2>
        {waits.length} {waits.length === 1 ? "run waits" : "runs wait"} for a runner
      </h2>
      <ul>
        {waits.map(({ run, blocker }) => (
          <li key={run.id}>
            <RunLink run={run} /> {visible(blocker.message)}{" "}
            <span className="quiet">
              since <Ago at={blocker.since} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

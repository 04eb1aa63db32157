import { Link, useParams } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "../inbox/page-title.tsx";
import { WorkspaceDocument, WorkspaceLiveDocument, type WorkspaceQuery } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { Commands } from "../parts/commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { shortDigest } from "../parts/short-digest.ts";
import { Ago } from "../parts/time.tsx";
import { ValueTable } from "../parts/value-table.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { textOf } from "../plan/text.ts";
import { RunTable } from "../runs/run-table.tsx";
import { useReread } from "../parts/use-reread.ts";
import { Dependencies } from "./dependencies.tsx";
import { Drift } from "./drift.tsx";
import { Holds } from "./holds.tsx";
import { NewRun } from "./new-run.tsx";
import { Probes } from "../probes/probes.tsx";
import { Rules } from "./rules.tsx";
import { States } from "./states.tsx";
import { Variables } from "./variables.tsx";
import { WorkspaceCommands } from "./workspace-commands.tsx";

const WorkspaceSource = lazyPart(() => import("../source/workspace-source.tsx"), "WorkspaceSource");
const WorkspaceSettings = lazyPart(() => import("../settings/workspace-settings.tsx"), "WorkspaceSettings");
const WorkspaceSchedules = lazyPart(() => import("../schedules/workspace-schedules.tsx"), "WorkspaceSchedules");

type Shown = NonNullable<WorkspaceQuery["workspace"]>;

/** The statuses of runs that wait to be admitted. */
const WAITING: readonly string[] = ["QUEUED", "REPLAN_REQUESTED", "CONFIRMED"];

/** A workspace: how it is, what holds it, its runs, and what its state gives to others. */
export function WorkspacePage() {
  const { organization, workspace: name } = useParams({ from: "/shell/o/$organization/w/$workspace" });
  const [{ data, error, fetching }, reload] = useDocument(WorkspaceDocument, { organization, name });
  const workspace = data?.workspace;
  if (workspace == null) {
    if (error !== undefined) return <p role="alert">{error.message}</p>;
    return <p>{fetching ? "Loading…" : `There is no workspace ${name} that you may see.`}</p>;
  }
  return <WorkspaceView workspace={workspace} onChange={reload} />;
}

function WorkspaceView({ workspace, onChange }: { workspace: Shown; onChange: () => void }) {
  const { id, name, description, deploymentStatus, driftStatus } = workspace;
  const { outputs } = workspace;
  const allows = (name: string): boolean => workspace.actions.some(({ action, allowed }) => action === name && allowed);
  const runs = workspace.runs.edges.map(({ node }) => node);
  const waiting = workspace.queue.edges.map(({ node }) => node);
  const reread = useReread(onChange);
  /** Whether a run is in the queue, or has just come into it. */
  const isInQueue = ({ id: runId, status }: { id: string; status: string }): boolean =>
    WAITING.includes(status) || waiting.some((run) => run.id === runId);
  useStream(
    WorkspaceLiveDocument,
    { workspaceId: id },
    {
      onItem: ({ workspaceEvents: item }) => {
        const isKnown = "run" in item && runs.some((run) => run.id === item.run.id);
        // A run that changes is updated in its row; all else is read again.
        if (!("run" in item) || !isKnown || isInQueue(item.run)) reread();
      },
    },
  );
  return (
    <>
      <PageTitle>{name}</PageTitle>
      <h1>
        {name} <span className="quiet">{wordsOf(deploymentStatus)}</span>
      </h1>
      {description != null && <p>{visible(description)}</p>}
      <Facts>
        <Fact name="Source">{sourceOf(workspace.source)}</Fact>
        <Fact name="State">{stateOf(workspace)}</Fact>
        {workspace.healthSince != null && (
          <Fact name="Health">
            {wordsOf(workspace.runtimeHealth)}, <Ago at={workspace.healthSince} />
            {workspace.healthReason != null && `: ${visible(workspace.healthReason)}`}
          </Fact>
        )}
        {workspace.labels.length > 0 && <Fact name="Labels">{workspace.labels.map(visible).join(", ")}</Fact>}
        <Fact name="Drift">{wordsOf(driftStatus)}</Fact>
      </Facts>
      <Commands>
        <NewRun workspace={workspace} />
        <WorkspaceCommands workspace={workspace} onChange={onChange} />
      </Commands>
      <Holds workspace={workspace} onDone={onChange} />
      {workspace.driftReport != null && (
        <Drift key={`${workspace.driftReport.id} ${driftStatus}`} workspace={workspace} onChange={onChange} />
      )}
      {waiting.length > 0 && (
        <section className="panel" aria-label="Queue">
          <h2>Queue {workspace.queue.totalCount}</h2>
          <RunTable runs={waiting} label={`Runs that wait for ${name}, the next first`} />
        </section>
      )}
      <section className="panel" aria-label="Runs">
        <h2>Runs</h2>
        {runs.length === 0 ? <p>No runs.</p> : <RunTable runs={runs} label={`Runs of ${name}`} />}
        {workspace.runs.pageInfo.hasNextPage && (
          <Link
            to="/o/$organization/runs"
            params={{ organization: workspace.organization.slug }}
            search={{ show: "all", q: `ws:${name}` }}
          >
            All runs of {name}
          </Link>
        )}
      </section>
      <ValueTable
        title="Outputs"
        values={outputs.map(({ value, ...output }) => ({ ...output, text: textOf(value) }))}
      />
      {workspace.currentStateVersion != null && (
        <States
          key={workspace.currentStateVersion.serial}
          workspace={workspace}
          canRollBack={allows("ROLLBACK_STATE")}
        />
      )}
      <Variables workspace={workspace} canWrite={allows("SET_VARIABLE")} onChange={onChange} />
      <Rules workspace={workspace} canWrite={allows("UPDATE_GATES")} onChange={onChange} />
      <Dependencies workspace={workspace} />
      <Suspense fallback={null}>
        <WorkspaceSource workspace={workspace} canWrite={allows("UPDATE")} onChange={onChange} />
        <WorkspaceSchedules workspace={workspace} />
        <WorkspaceSettings workspace={workspace} allows={allows} />
      </Suspense>
      <Probes
        workspace={workspace}
        canWrite={allows("UPDATE")}
        allowsCommands={allows("UPDATE_HOOKS")}
        onChange={onChange}
      />
    </>
  );
}

function sourceOf(source: Shown["source"]): string {
  if (source.__typename === "DirectorySource") return visible(source.path);
  if (source.__typename === "GitSource") return visible(`${source.url} ${source.branch} ${source.folder}`);
  return source.__typename === "UploadSource" ? `an upload, ${shortDigest(source.digest)}` : "";
}

function stateOf({ currentStateVersion }: Shown): React.ReactNode {
  if (currentStateVersion == null) return "none";
  const { serial, resourceCount, createdAt } = currentStateVersion;
  return (
    <>
      serial {serial}
      {resourceCount != null && `, ${resourceCount} ${resourceCount === 1 ? "resource" : "resources"}`},{" "}
      <Ago at={createdAt} />
    </>
  );
}

import { useParams } from "@tanstack/react-router";
import { WorkspaceDocument, WorkspaceLiveDocument, type WorkspaceQuery } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { Fact, Facts } from "../parts/facts.tsx";
import { Ago } from "../parts/time.tsx";
import { type NamedValue, ValueTable } from "../parts/value-table.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { textOf } from "../plan/text.ts";
import { RunTable } from "../runs/run-table.tsx";
import { Holds } from "./holds.tsx";
import { useReread } from "../parts/use-reread.ts";
import { NewRun } from "./new-run.tsx";

type Shown = NonNullable<WorkspaceQuery["workspace"]>;

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
  const { outputs, variables } = workspace;
  const runs = workspace.runs.edges.map(({ node }) => node);
  const reread = useReread(onChange);
  useStream(
    WorkspaceLiveDocument,
    { workspaceId: id },
    {
      onItem: ({ workspaceEvents: item }) => {
        const isKnown = "run" in item && runs.some((run) => run.id === item.run.id);
        // A run that changes is updated in its row; all else is read again.
        if (!("run" in item) || !isKnown) reread();
      },
    },
  );
  return (
    <>
      <title>{`${name} - Holdpoint`}</title>
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
        <Fact name="Drift">{wordsOf(driftStatus)}</Fact>
      </Facts>
      <NewRun workspace={workspace} />
      <Holds workspace={workspace} onDone={onChange} />
      <section className="panel" aria-label="Runs">
        <h2>Runs</h2>
        {runs.length === 0 ? <p>No runs.</p> : <RunTable runs={runs} label={`Runs of ${name}`} />}
      </section>
      <ValueTable
        title="Outputs"
        values={outputs.map(({ value, ...output }) => ({ ...output, text: textOf(value) }))}
      />
      <ValueTable title="Variables" values={variables.map(variableOf)} />
    </>
  );
}

function variableOf({ key, category, sensitive, value }: Shown["variables"][number]): NamedValue {
  return { name: key, kind: wordsOf(category), sensitive, text: visible(value ?? "") };
}

function sourceOf(source: Shown["source"]): string {
  if (source.__typename === "DirectorySource") return visible(source.path);
  if (source.__typename === "GitSource") return visible(`${source.url} ${source.branch} ${source.folder}`);
  return source.__typename === "UploadSource" ? `an upload, ${source.digest.slice(0, 12)}` : "";
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

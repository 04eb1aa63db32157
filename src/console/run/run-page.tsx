import { Link, Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageTitle } from "../inbox/page-title.tsx";
import {
  RunByNumberDocument,
  RunDocument,
  RunLiveDocument,
  type RunPageFragment,
  WaitsOfRunDocument,
} from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { Counts } from "../parts/counts.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { shortDigest } from "../parts/short-digest.ts";
import { Status } from "../parts/status.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Ago } from "../parts/time.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { toneOf, wordsOf } from "../parts/words.ts";
import { Progress } from "../runs/progress.tsx";
import { WorkspaceById } from "../workspace/workspace-by-id.tsx";
import { Approvals } from "./approvals.tsx";
import { Decision } from "./decision.tsx";
import { Failure } from "./failure.tsx";
import { type ChangeSearch, type RunPageSearch, type Tab, TAB_KEYS, TABS } from "./run-page-search.ts";
import { Waits } from "./waits.tsx";
import styles from "./run-page.module.css";

const PlanView = lazyPart(() => import("../plan/plan-view.tsx"), "PlanView");
const Judgements = lazyPart(() => import("./judgements.tsx"), "Judgements");
const Timeline = lazyPart(() => import("./timeline.tsx"), "Timeline");
const Comments = lazyPart(() => import("./comments.tsx"), "Comments");
const LostApply = lazyPart(() => import("./lost-apply.tsx"), "LostApply");
const WayBack = lazyPart(() => import("./way-back.tsx"), "WayBack");
const LogView = lazyPart(() => import("../log/log-view.tsx"), "LogView");

/** The page of a run by its number in its workspace. */
export function RunPage() {
  const { organization, workspace, number } = useParams({ from: "/shell/o/$organization/w/$workspace/runs/$number" });
  const search = useSearch({ from: "/shell/o/$organization/w/$workspace/runs/$number" });
  const navigate = useNavigate({ from: "/o/$organization/w/$workspace/runs/$number" });
  const count = Number(number);
  const [{ data, error, fetching }] = useDocument(
    RunByNumberDocument,
    { organization, workspace, number: count },
    { pause: !Number.isSafeInteger(count) },
  );
  const run = data?.workspace?.run;
  if (run == null) {
    if (error !== undefined) return <p role="alert">{error.message}</p>;
    return <p>{fetching ? "Loading…" : `There is no run ${workspace} #${number} that you may see.`}</p>;
  }
  // The lines of the log stay in the address while another part is shown.
  const change: ChangeSearch = (part, replace = false) =>
    void navigate({ search: { ...search, ...part }, hash: true, resetScroll: false, replace });
  return <RunView key={run.id} run={run} search={search} onSearch={change} />;
}

/** The permanent link of a run or a workspace, which messages have. */
export function RunByIdPage() {
  const { id } = useParams({ from: "/shell/r/$id" });
  return id.startsWith("ws_") ? <WorkspaceById id={id} /> : <RunById id={id} />;
}

function RunById({ id }: { id: string }) {
  const [{ data, error, fetching }] = useDocument(RunDocument, { id });
  const run = data?.run;
  if (run == null) {
    if (error !== undefined) return <p role="alert">{error.message}</p>;
    return <p>{fetching ? "Loading…" : "There is no such run that you may see."}</p>;
  }
  const { workspace, number } = run;
  const params = { organization: workspace.organization.slug, workspace: workspace.name, number: String(number) };
  return <Navigate to="/o/$organization/w/$workspace/runs/$number" params={params} replace />;
}

interface RunViewProps {
  readonly run: RunPageFragment;
  readonly search: RunPageSearch;
  readonly onSearch: ChangeSearch;
}

function RunView({ run, search, onSearch }: RunViewProps) {
  useStream(RunLiveDocument, { runId: run.id });
  const [, readWaits] = useDocument(WaitsOfRunDocument, { id: run.id }, { pause: true });
  // A change of the rules of an organization is no event of a run that waits. It is read apart from the run: while a query is on its
  // way, what an event changes is not shown by it.
  useTick(() => {
    if (run.blockers.length + run.approvalRequirements.length > 0) readWaits();
  });
  const tab = search.tab ?? (run.plan == null ? "log" : "plan");
  const { workspace, number } = run;
  const read = tab === "plan" ? search.plan : undefined;
  return (
    <div className={styles["run"]}>
      <PageTitle>{`${workspace.name} #${number} ${wordsOf(run.status)}`}</PageTitle>
      <header className={styles["head"]}>
        <h1>
          <Link
            to="/o/$organization/w/$workspace"
            params={{ organization: workspace.organization.slug, workspace: workspace.name }}
          >
            {workspace.name}
          </Link>{" "}
          #{number} <span className="quiet">{wordsOf(run.kind)}</span>
        </h1>
        <p className={styles["facts"]}>
          <Status run={run} /> <Counts plan={run.plan} />
          {toneOf(run) === "busy" && <Progress of={workspace.name} progress={run.progress} />}
          <span className="quiet">
            by {visible(run.createdBy.name)}, <Ago at={run.createdAt} />
            {run.revision != null && " · "}
            <Revision run={run} />
          </span>
        </p>
        {run.message != null && <p className={styles["message"]}>{visible(run.message)}</p>}
        {run.warnings.map((warning) => (
          <p key={warning} className={styles["warning"]}>
            ⚠ {visible(warning)}
          </p>
        ))}
        <Waits run={run} />
        {run.failure != null && <Failure run={run} failure={run.failure} />}
        <Suspense>
          <WayBack key={run.plan?.version ?? 0} run={run} />
          {run.failure?.stateUncertain === true && <LostApply runId={run.id} workspaceId={workspace.id} />}
        </Suspense>
      </header>
      <aside className={styles["rail"]}>
        <Decision run={run} read={read} onReadCurrent={() => onSearch({ plan: undefined, compare: undefined })} />
        {tab !== "timeline" && (
          <div className={styles["printed"]}>
            <Approvals run={run} />
          </div>
        )}
      </aside>
      <section className={styles["body"]}>
        <Tabs
          label="Parts of the run"
          keys={TAB_KEYS}
          names={TABS}
          current={tab}
          onOpen={(name) => onSearch({ tab: name })}
        >
          {(name) => <Part name={name} run={run} search={search} onSearch={onSearch} />}
        </Tabs>
      </section>
    </div>
  );
}

/** The revision of the source, as a link where its host has a page of it. */
function Revision({ run: { revision, commitUrl } }: { readonly run: RunPageFragment }) {
  if (revision == null) return null;
  if (commitUrl == null || !/^https?:/.test(commitUrl)) return shortDigest(revision);
  return (
    <a href={commitUrl} rel="noopener noreferrer" target="_blank">
      {shortDigest(revision)}
    </a>
  );
}

function Part({ name, run, search, onSearch }: RunViewProps & { readonly name: Tab }) {
  switch (name) {
    case "plan":
      return <PlanView run={run} search={search} onSearch={onSearch} />;
    case "checks":
      return <Judgements run={run} />;
    case "log":
      return <LogView runId={run.id} version={run.version} />;
    case "timeline":
      return <Timeline run={run} />;
    case "comments":
      return <Comments run={run} />;
  }
}

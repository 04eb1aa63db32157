import { Link } from "@tanstack/react-router";
import { UpdateWorkspaceDocument, WorkspaceSourceDocument, type WorkspaceSourceQuery } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { Commands } from "../parts/commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { changedOf } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { ListState } from "../parts/list-state.tsx";
import { Mark } from "../parts/mark.tsx";
import { shortDigest } from "../parts/short-digest.ts";
import { Ago } from "../parts/time.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { type Tone, wordsOf } from "../parts/words.ts";
import { readChangedSource, readTrigger } from "./read-source.ts";

const SourceFields = lazyPart(() => import("./source-fields.tsx"), "SourceFields");
const TriggerFields = lazyPart(() => import("./trigger-fields.tsx"), "TriggerFields");

type Shown = NonNullable<WorkspaceSourceQuery["workspace"]>;

/** A later release may have more states. */
const TONES: Readonly<Record<string, Tone>> = { IN_SYNC: "good", BEHIND: "asks", UNKNOWN: "quiet" };

interface WorkspaceSourceOf {
  readonly workspace: {
    readonly id: string;
    readonly name: string;
    readonly organization: { readonly slug: string };
  };
  readonly canWrite: boolean;
  /** Reads the page again, which shows the source too. */
  readonly onChange: () => void;
}

/** The source of a workspace, what starts runs of it, and how what is applied compares with it. */
export function WorkspaceSource({ workspace, canWrite, onChange }: WorkspaceSourceOf) {
  const [read, reload] = useDocument(WorkspaceSourceDocument, { id: workspace.id });
  useTick(reload);
  const shown = read.data?.workspace ?? null;
  const { slug } = workspace.organization;
  return (
    <section className="panel" aria-label="Source and triggers">
      <h2>Source and triggers</h2>
      <ListState read={read} count={shown === null ? 0 : 1} empty="The source is not shown to you." />
      {shown !== null && (
        <>
          {canWrite && (
            <SourceCommands
              workspace={workspace}
              shown={shown}
              onDone={() => {
                reload();
                onChange();
              }}
            />
          )}
          <Facts>
            <SourceFacts source={shown.source} organization={slug} />
            <TriggerFacts trigger={shown.trigger} />
            <Fact name="Applied against the branch">
              <Sync sync={shown.sync} />
            </Fact>
          </Facts>
        </>
      )}
    </section>
  );
}

interface SourceCommandsOf {
  readonly workspace: WorkspaceSourceOf["workspace"];
  readonly shown: Shown;
  readonly onDone: () => void;
}

function SourceCommands({ workspace, shown, onDone }: SourceCommandsOf) {
  const { id: workspaceId, name, organization } = workspace;
  const { source, trigger, viewerPermissions } = shown;
  const isOfRepository = source.__typename === "GitSource" && source.repository != null;
  return (
    <Commands>
      <FormCommand
        document={UpdateWorkspaceDocument}
        label="Change the source"
        title={`Source of ${name}`}
        submit="Change the source"
        inputOf={async (form) => ({ workspaceId, ...(await readChangedSource(form)) })}
        onDone={onDone}
      >
        <p>Later runs have it. Runs that are there keep theirs.</p>
        <SourceFields organization={organization.slug} source={source} />
      </FormCommand>
      {isOfRepository && viewerPermissions.includes("RUN_DEPLOY") && (
        <FormCommand
          document={UpdateWorkspaceDocument}
          label="Triggers"
          title={`Triggers of ${name}`}
          submit="Change the triggers"
          inputOf={(form) => ({ workspaceId, trigger: changedOf(form, readTrigger(form)) })}
          onDone={onDone}
        >
          <TriggerFields trigger={trigger} />
        </FormCommand>
      )}
    </Commands>
  );
}

function SourceFacts({ source, organization }: { source: Shown["source"]; organization: string }) {
  if (source.__typename === "DirectorySource") {
    return (
      <Fact name="Folder on the server">
        <code>{visible(source.path)}</code>
      </Fact>
    );
  }
  if (source.__typename === "UploadSource") {
    return (
      <Fact name="Upload">
        <code>{shortDigest(source.digest)}</code>
      </Fact>
    );
  }
  const { url, branch, folder, repository } = source;
  return (
    <>
      <Fact name="Repository">
        {repository == null ? (
          <code>{visible(url)}</code>
        ) : (
          <Link to="/o/$organization/repositories/$repository" params={{ organization, repository: repository.id }}>
            {visible(repository.name)}
          </Link>
        )}
      </Fact>
      <Fact name="Branch">{visible(branch)}</Fact>
      <Fact name="Folder">
        <code>{visible(folder)}</code>
      </Fact>
    </>
  );
}

/** The changes that start runs; nothing where none do. */
function TriggerFacts({ trigger: { branch, tags, alsoReads } }: { trigger: Shown["trigger"] }) {
  const starts = [branch != null && `pushes to ${visible(branch)}`, tags != null && `tags ${visible(tags)}`];
  const words = starts.filter((start) => start !== false);
  return (
    <>
      <Fact name="Runs start by">{words.length === 0 ? "people and programs alone" : words.join(", ")}</Fact>
      {words.length > 0 && alsoReads.length > 0 && (
        <Fact name="It also reads">
          <code>{alsoReads.map(visible).join(" ")}</code>
        </Fact>
      )}
    </>
  );
}

function Sync({ sync: { state, since, applied, head } }: { sync: Shown["sync"] }) {
  const commits = applied != null && head != null && applied.commit !== head.commit;
  return (
    <>
      <Mark tone={TONES[state] ?? "quiet"}>{wordsOf(state)}</Mark>
      {since != null && (
        <>
          {" "}
          <Ago at={since} />
        </>
      )}
      {state === "BEHIND" && commits && (
        <span className="quiet">
          {" "}
          {shortDigest(applied.commit)}, the branch has {shortDigest(head.commit)}
        </span>
      )}
    </>
  );
}

import { ChangesetLink } from "../changesets/changeset-link.tsx";
import { type PipelineRowFragment, PromoteChangesetDocument } from "../generated/graphql.ts";
import { ChangesetState, workspacesOf } from "../changesets/changeset-state.tsx";
import { Command } from "../parts/command.tsx";
import { Mark } from "../parts/mark.tsx";
import { shortDigest } from "../parts/short-digest.ts";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { type Tone, wordsOf } from "../parts/words.ts";
import { commitsOf, isInStage, isPromotable, promotionTo, type ShownChangeset } from "./stage-of.ts";
import { stageRule } from "./stage-text.ts";

type Stage = PipelineRowFragment["stages"][number];

/** A later release may have more states. */
const TONES: Readonly<Record<string, Tone>> = { SOAKING: "busy", PROMOTED: "good", FAILED: "bad", SUPERSEDED: "quiet" };

interface StageOf {
  readonly pipelineId: string;
  readonly stage: Stage;
  /** `null`: it is the last one. */
  readonly next: Stage | null;
  readonly changesets: readonly ShownChangeset[];
  readonly organization: string;
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

/** A stage with its newest changesets, newest first, and where each goes from there. */
export function PipelineStage(props: StageOf) {
  const { stage, next, changesets } = props;
  const here = changesets.filter((changeset) => isInStage(changeset, stage));
  const name = visible(stage.name);
  const heads = ["Changeset", "Commit", "State", ...(next === null ? [] : [`To ${visible(next.name)}`])];
  return (
    <section className="panel" aria-label={`Stage ${name}`}>
      <h2>
        {name}{" "}
        <span className="quiet">
          {[visible(stage.label), stageRule(stage)].filter((part) => part !== "").join(", ")}
        </span>
      </h2>
      {here.length === 0 && <p className="quiet">No changeset was here lately.</p>}
      {here.length > 0 && (
        <Table label={`Changesets in ${name}`} heads={heads}>
          {here.map((changeset) => (
            <StageRow key={changeset.id} changeset={changeset} {...props} />
          ))}
        </Table>
      )}
    </section>
  );
}

function StageRow({ changeset, ...props }: StageOf & { changeset: ShownChangeset }) {
  const { organization, next } = props;
  const { id, title, createdAt, appliedAt } = changeset;
  return (
    <tr>
      <td>
        <ChangesetLink organization={organization} changeset={{ id, title }} />
        <div className="quiet">
          made <Ago at={createdAt} />
          {appliedAt != null && (
            <>
              , applied <Ago at={appliedAt} />
            </>
          )}
        </div>
      </td>
      <td>
        {commitsOf(changeset).map((commit) => (
          <div key={commit}>
            <code>{shortDigest(commit)}</code>
          </div>
        ))}
      </td>
      <td>
        <ChangesetState changeset={changeset} />
        <div className="quiet">{workspacesOf(changeset)}</div>
      </td>
      {next !== null && (
        <td>
          <NextStage changeset={changeset} {...props} next={next} />
        </td>
      )}
    </tr>
  );
}

interface NextStageOf extends StageOf {
  readonly changeset: ShownChangeset;
  readonly next: Stage;
}

/** The way of a changeset to the next stage: what holds it, where it went, or the command that promotes it. */
function NextStage({ changeset, pipelineId, next, organization, canWrite, onChange }: NextStageOf) {
  const promotion = promotionTo(changeset, pipelineId, next.name);
  const isOpen = promotion?.state !== "PROMOTED" && promotion?.state !== "SUPERSEDED";
  const [to, title] = [visible(next.name), visible(changeset.title)];
  return (
    <>
      {promotion !== null && <Mark tone={TONES[promotion.state] ?? "quiet"}>{wordsOf(promotion.state)}</Mark>}
      {promotion?.dueAt != null && (
        <span className="quiet">
          {" "}
          due <Ago at={promotion.dueAt} />
        </span>
      )}
      {promotion?.problem != null && <div className="problem">{visible(promotion.problem)}</div>}
      {promotion?.changeset != null && (
        <div>
          <ChangesetLink organization={organization} changeset={promotion.changeset} />
        </div>
      )}
      {promotion?.supersededBy != null && (
        <div className="quiet">
          by <ChangesetLink organization={organization} changeset={promotion.supersededBy} />
        </div>
      )}
      {!isPromotable(changeset) && promotion === null && <span className="quiet">not applied</span>}
      {canWrite && isOpen && isPromotable(changeset) && (
        <div>
          <Command
            document={PromoteChangesetDocument}
            input={{ changesetId: changeset.id, pipelineId, stage: next.name }}
            label={`Promote to ${to}`}
            question={{
              title: `Promote ${title} to ${to}`,
              text: "Its commits are planned there, and stop at their gates. Runs wait until they have soaked.",
              gives: true,
            }}
            onDone={onChange}
          />
        </div>
      )}
    </>
  );
}

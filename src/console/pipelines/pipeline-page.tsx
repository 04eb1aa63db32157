import { useNavigate, useParams } from "@tanstack/react-router";
import {
  DeletePipelineDocument,
  OrganizationRunsDocument,
  PipelineDocument,
  type PipelineRowFragment,
  UpdatePipelineDocument,
} from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { FormCommand } from "../parts/form-command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { useReread } from "../parts/use-reread.ts";
import { visible } from "../parts/visible.ts";
import { PipelineFields } from "./pipeline-fields.tsx";
import { mayChange, readPipelineChanges } from "./pipeline-input.ts";
import { PipelineStage } from "./pipeline-stage.tsx";
import { stagesText } from "./stage-text.ts";

/** A pipeline: its stages with their newest changesets, what holds each, and the promotion to the next stage. */
export function PipelinePage() {
  return (
    <OrganizationPage title="Pipeline">
      {({ id, slug }) => <PipelineView organizationId={id} organization={slug} />}
    </OrganizationPage>
  );
}

function PipelineView({ organizationId, organization }: { organizationId: string; organization: string }) {
  const { pipeline: id } = useParams({ from: "/shell/o/$organization/pipelines/$pipeline" });
  const navigate = useNavigate();
  const [read, onChange] = useDocument(PipelineDocument, { id, organization });
  const reread = useReread(onChange);
  useStream(OrganizationRunsDocument, { organizationId }, { onItem: reread });
  const node = read.data?.node;
  if (node?.__typename !== "PromotionPipeline") {
    return <ListState read={read} count={0} empty="There is no such pipeline that you may see." />;
  }
  const changesets = read.data?.organization?.changesets.edges.map(({ node: changeset }) => changeset) ?? [];
  const canWrite = mayChange(read.data?.organization?.viewerPermissions ?? []);
  return (
    <>
      <Facts>
        <Fact name="Name">
          <strong>{visible(node.name)}</strong>
        </Fact>
        <Fact name="Stages">{stagesText(node.stages)}</Fact>
        <Fact name="Owner, under whose rights it promotes">{visible(node.owner.name)}</Fact>
      </Facts>
      {canWrite && (
        <PipelineCommands
          pipeline={node}
          onChange={onChange}
          onDeleted={() => void navigate({ to: "/o/$organization/pipelines", params: { organization } })}
        />
      )}
      {node.stages.map((stage, index) => (
        <PipelineStage
          key={stage.name}
          pipelineId={node.id}
          stage={stage}
          next={node.stages[index + 1] ?? null}
          {...{ changesets, organization, canWrite, onChange: reread }}
        />
      ))}
      <p className="quiet">Of the newest 25 changesets of the organization, those of these stages are shown.</p>
    </>
  );
}

interface PipelineCommandsOf {
  readonly pipeline: PipelineRowFragment;
  readonly onChange: () => void;
  readonly onDeleted: () => void;
}

function PipelineCommands({ pipeline, onChange, onDeleted }: PipelineCommandsOf) {
  const { id: pipelineId } = pipeline;
  const name = visible(pipeline.name);
  return (
    <Commands>
      <FormCommand
        document={UpdatePipelineDocument}
        label="Change"
        title={`Change the pipeline ${name}`}
        submit="Change the pipeline"
        inputOf={(form) => ({ pipelineId, ...readPipelineChanges(form) })}
        onDone={onChange}
        ifDeleted={`${name} was deleted meanwhile, or you may no longer change it.`}
      >
        <p>From then on it promotes under your rights. What soaks is considered again.</p>
        <PipelineFields pipeline={pipeline} />
      </FormCommand>
      <Command
        document={DeletePipelineDocument}
        input={{ pipelineId }}
        label="Delete"
        question={{
          title: `Delete the pipeline ${name}`,
          text: "What soaks is not promoted any more. Changesets and runs stay.",
        }}
        onDone={onDeleted}
      />
    </Commands>
  );
}

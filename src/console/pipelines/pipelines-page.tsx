import { Link, useSearch } from "@tanstack/react-router";
import { CreatePipelineDocument, PipelinesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { Commands } from "../parts/commands.tsx";
import { FormCommand } from "../parts/form-command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Table } from "../parts/table.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { PipelineFields } from "./pipeline-fields.tsx";
import { mayChange, readPipeline } from "./pipeline-input.ts";
import { stagesText } from "./stage-text.ts";

/** The pipelines through whose stages commits move. */
export function PipelinesPage() {
  return (
    <OrganizationPage title="Pipelines">
      {({ id, slug }) => <PipelinesView organizationId={id} organization={slug} />}
    </OrganizationPage>
  );
}

function PipelinesView({ organizationId, organization }: { organizationId: string; organization: string }) {
  const { after } = useSearch({ from: "/shell/o/$organization/pipelines" });
  const [read, onChange] = useDocument(PipelinesDocument, { organization, after: after ?? null });
  useTick(onChange);
  const found = read.data?.organization;
  const pipelines = found?.pipelines.edges.map(({ node }) => node) ?? [];
  const page = found?.pipelines.pageInfo;
  return (
    <>
      {mayChange(found?.viewerPermissions ?? []) && (
        <Commands>
          <FormCommand
            document={CreatePipelineDocument}
            label="New pipeline"
            title="New pipeline"
            submit="Create the pipeline"
            inputOf={(form) => ({ organizationId, ...readPipeline(form) })}
            onDone={onChange}
          >
            <PipelineFields />
          </FormCommand>
        </Commands>
      )}
      <div className="panel">
        <ListState read={read} count={pipelines.length} empty="There is no pipeline yet." />
        {pipelines.length > 0 && (
          <Table label="Pipelines" heads={["Pipeline", "Stages", "Owner"]}>
            {pipelines.map(({ id, name, stages, owner }) => (
              <tr key={id}>
                <td>
                  <Link to="/o/$organization/pipelines/$pipeline" params={{ organization, pipeline: id }} data-stop="">
                    {visible(name)}
                  </Link>
                </td>
                <td>{stagesText(stages)}</td>
                <td>{visible(owner.name)}</td>
              </tr>
            ))}
          </Table>
        )}
      </div>
      {page?.hasNextPage === true && page.endCursor != null && (
        <Link to="/o/$organization/pipelines" params={{ organization }} search={{ after: page.endCursor }}>
          Later pipelines
        </Link>
      )}
    </>
  );
}

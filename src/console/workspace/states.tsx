import { RollBackStateDocument, type StateRowFragment, WorkspaceStatesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { Table } from "../parts/table.tsx";
import { TextField } from "../parts/text-field.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { RunLink, useOpenRun } from "../runs/run-link.tsx";
import { StateDifferences } from "./state-differences.tsx";
import { StateResources } from "./state-resources.tsx";

interface StatesProps {
  readonly workspace: { readonly id: string; readonly name: string };
  readonly canRollBack: boolean;
}

/** The newest versions of the state of a workspace, each with the run that wrote it and the command that brings it back. */
export function States({ workspace, canRollBack }: StatesProps) {
  const [{ data, error }] = useDocument(WorkspaceStatesDocument, { id: workspace.id });
  const versions = data?.workspace?.stateVersions.edges.map(({ node }) => node) ?? [];
  const current = versions.find(({ isCurrent }) => isCurrent);
  return (
    <section className="panel" aria-label="State">
      <h2>State</h2>
      {error !== undefined && <p role="alert">{error.message}</p>}
      {current !== undefined && <StateResources key={current.id} versionId={current.id} />}
      <Table
        label={`Versions of the state of ${workspace.name}`}
        heads={["Serial", "Resources", "Written", "By", "Commands"]}
      >
        {versions.map((version) => (
          <tr key={version.id}>
            <th scope="row">
              {version.serial}
              {version.isCurrent && <span className="quiet"> current</span>}
            </th>
            <td>{version.resourceCount ?? "not counted"}</td>
            <td>
              <Ago at={version.createdAt} />
            </td>
            <td>{version.run == null ? visible(version.actor.name) : <RunLink run={version.run} />}</td>
            <td>
              {canRollBack && current !== undefined && !version.isCurrent && (
                <BringBack workspace={workspace} version={version} current={current} />
              )}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

interface BringBackProps {
  readonly workspace: StatesProps["workspace"];
  readonly version: StateRowFragment;
  readonly current: StateRowFragment;
}

function BringBack({ workspace, version, current }: BringBackProps) {
  const openRun = useOpenRun();
  return (
    <FormCommand
      document={RollBackStateDocument}
      label="Bring back"
      title={`Bring back the state ${version.serial} of ${workspace.name}`}
      submit="Create the run"
      inputOf={(form) => ({
        workspaceId: workspace.id,
        stateVersionId: version.id,
        message: textOfField(form, "message") || null,
      })}
      onDone={({ run }) => openRun(run)}
    >
      <p>
        A run stores this state in place of serial {current.serial}, once it is approved. It changes no infrastructure:
        the next plan shows what differs.
      </p>
      <StateDifferences workspaceId={workspace.id} from={current.id} to={version.id} />
      <TextField name="message" label="Message" hint="For the approvers." maxLength={10_000} />
    </FormCommand>
  );
}

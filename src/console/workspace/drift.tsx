import {
  AcknowledgeDriftDocument,
  type DriftFragment,
  WorkspaceDriftDocument,
  type WorkspaceQuery,
} from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { Commands } from "../parts/commands.tsx";
import { endOfDay, textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { Table } from "../parts/table.tsx";
import { TextField } from "../parts/text-field.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { RunLink } from "../runs/run-link.tsx";
import { TakeOver } from "./take-over.tsx";

interface DriftProps {
  readonly workspace: Pick<NonNullable<WorkspaceQuery["workspace"]>, "id" | "name" | "actions">;
  /** Reads the workspace again. */
  readonly onChange: () => void;
}

/** The newest report of drift: the resources that differ from the applied configuration, and who acknowledged it. */
export function Drift({ workspace, onChange }: DriftProps) {
  const { id, name } = workspace;
  const [{ data, error }, reload] = useDocument(WorkspaceDriftDocument, { id });
  const report = data?.workspace?.driftReport;
  if (error !== undefined) return <p role="alert">{error.message}</p>;
  if (report == null || report.resourceCount + report.outputCount === 0) return null;
  const { acknowledgement, run, createdAt, ignoredCount, outputs } = report;
  const resources = report.resources.edges.map(({ node }) => node);
  const reread = (): void => {
    reload();
    onChange();
  };
  return (
    <section className="panel" aria-label="Drift">
      <h2>Drift</h2>
      <p>
        {countsOf(report)} from what was applied, as <RunLink run={run} /> found <Ago at={createdAt} />.
        {ignoredCount > 0 && ` ${ignoredCount} more differ only in what is ignored.`}
      </p>
      {acknowledgement != null && (
        <p>
          Acknowledged by {visible(acknowledgement.by.name)} until {new Date(acknowledgement.until).toLocaleString()}
          {acknowledgement.note != null && `: ${visible(acknowledgement.note)}`}
        </p>
      )}
      <Table label={`Drift of ${name}`} heads={["Resource", "Changed outside", "A run would", "Attributes"]}>
        {resources.map(({ address, change, plannedAction, paths }) => (
          <tr key={address}>
            <th scope="row">
              <code>{visible(address)}</code>
            </th>
            <td>{change == null ? "" : wordsOf(change)}</td>
            <td>{plannedAction == null ? "" : wordsOf(plannedAction)}</td>
            <td>{paths.length > 0 && <code>{visible(paths.join(", "))}</code>}</td>
          </tr>
        ))}
      </Table>
      {report.resourceCount > resources.length && <p>and {report.resourceCount - resources.length} more</p>}
      {outputs.length > 0 && <p>Outputs: {visible(outputs.join(", "))}</p>}
      <Commands>
        <TakeOver workspace={workspace} report={report} />
        <FormCommand
          document={AcknowledgeDriftDocument}
          label="Acknowledge"
          title={`Acknowledge the drift of ${name}`}
          submit="Acknowledge"
          inputOf={(form) => ({
            reportId: report.id,
            until: endOfDay(textOfField(form, "until")) ?? "",
            note: textOfField(form, "note") || null,
          })}
          onDone={reread}
        >
          <p>No one is notified of this drift until then. Other drift is reported as before.</p>
          <TextField name="until" label="Last day" type="date" required />
          <TextField name="note" label="Note" hint="For people who read this later." maxLength={10_000} />
        </FormCommand>
      </Commands>
    </section>
  );
}

function countsOf({ resourceCount, outputCount }: DriftFragment): string {
  const parts = [
    resourceCount > 0 && `${resourceCount} ${resourceCount === 1 ? "resource" : "resources"}`,
    outputCount > 0 && `${outputCount} ${outputCount === 1 ? "output" : "outputs"}`,
  ].filter((part) => part !== false);
  return `${parts.join(" and ")} ${resourceCount + outputCount === 1 ? "differs" : "differ"}`;
}

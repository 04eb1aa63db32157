import {
  CreateRunDocument,
  type CreateRunInput,
  type DriftFragment,
  type WorkspaceQuery,
} from "../generated/graphql.ts";
import { useIsLive } from "../live/freshness.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { FormKey } from "../parts/form-key.tsx";
import { RunMessage } from "../run/go-back.tsx";
import { useOpenRun } from "../runs/run-link.tsx";

interface TakeOverOf {
  readonly workspace: Pick<NonNullable<WorkspaceQuery["workspace"]>, "id" | "name" | "actions">;
  readonly report: DriftFragment;
}

/** Creates a run that records in the state what was changed outside, and opens its page. */
export function TakeOver({ workspace: { id: workspaceId, name, actions }, report }: TakeOverOf) {
  const isLive = useIsLive();
  const openRun = useOpenRun();
  const creates = actions.find(({ action }) => action === "CREATE_RUN");
  return (
    <FormCommand
      document={CreateRunDocument}
      label="Take it over"
      title={`Take over the drift of ${name}`}
      submit="Create the run"
      disabled={!isLive || creates?.allowed !== true}
      reason={creates?.reason ?? undefined}
      inputOf={(form): CreateRunInput => ({
        workspaceId,
        kind: "DEPLOY",
        refreshOnly: true,
        idempotencyKey: textOfField(form, "idempotencyKey"),
        message: textOfField(form, "message") || null,
      })}
      onDone={({ run }) => openRun(run)}
    >
      <p>
        A run reads what is there now, and records it in the state. It changes nothing else. Before it records anything,
        it is approved like any run.
      </p>
      <p>{wordsOfDrift(report)}</p>
      <p>The drift is shown until the next check.</p>
      <RunMessage />
      <FormKey />
    </FormCommand>
  );
}

/** States what the run records, and what to do beside it. */
function wordsOfDrift({ resourceCount, outputCount, resources: { edges } }: DriftFragment): string {
  // A long report does not list all resources.
  if (resourceCount > edges.length || edges.some(({ node }) => node.change != null)) {
    return "Change the configuration too: otherwise the next deploy changes it back.";
  }
  if (outputCount > 0) return "Only values of outputs are recorded, as they are then.";
  return "Nothing else changed these resources: a deploy would change them by the configuration alone. So the run will have nothing to record.";
}

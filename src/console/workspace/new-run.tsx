import { useNavigate } from "@tanstack/react-router";
import { CreateRunDocument, type RunKind, type WorkspaceQuery } from "../generated/graphql.ts";
import { useIsLive } from "../live/freshness.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { FormKey } from "../parts/form-key.tsx";
import { RadioField, TextField } from "../parts/text-field.tsx";

/** The kinds of runs that need nothing but a message, and what they do. */
const KINDS: readonly (readonly [kind: RunKind, text: string])[] = [
  ["DEPLOY", "Deploy: plan, then apply what is approved"],
  ["PLAN", "Plan: show what would change, and apply nothing"],
  ["DESTROY", "Destroy: take all of it away, after an approval"],
];

/** Creates a run, and opens its page. The same form that is sent twice makes one run. */
export function NewRun({ workspace }: { workspace: NonNullable<WorkspaceQuery["workspace"]> }) {
  const navigate = useNavigate();
  const isLive = useIsLive();
  const { id: workspaceId, name, actions } = workspace;
  const creates = actions.find(({ action }) => action === "CREATE_RUN");
  return (
    <FormCommand
      document={CreateRunDocument}
      label="New run"
      title={`New run of ${name}`}
      submit="Create the run"
      isPrimary
      disabled={!isLive || creates?.allowed !== true}
      reason={creates?.reason ?? undefined}
      inputOf={(form) => ({
        workspaceId,
        kind: KINDS.map(([kind]) => kind).find((kind) => kind === textOfField(form, "kind")) ?? "PLAN",
        idempotencyKey: textOfField(form, "idempotencyKey"),
        message: textOfField(form, "message") || null,
      })}
      onDone={({ run: { number, workspace: its } }) =>
        void navigate({
          to: "/o/$organization/w/$workspace/runs/$number",
          params: { organization: its.organization.slug, workspace: its.name, number: String(number) },
        })
      }
    >
      <RadioField name="kind" label="Kind" choices={KINDS} />
      <TextField name="message" label="Message" maxLength={1000} />
      <FormKey />
    </FormCommand>
  );
}

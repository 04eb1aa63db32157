import { useState } from "react";
import { type Permission, PipelineNamesDocument, type ScheduledAction } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";
import { WorkspaceChoice } from "../parts/workspace-choice.tsx";
import { ActionField, LABEL_HINT, TimeFields } from "./schedule-fields.tsx";
import { allowedActions } from "./scheduled-actions.ts";

interface NewFieldsOf {
  readonly organization: string;
  readonly permissions: readonly Permission[];
  /** Whether the schedule is one of a single workspace, on whose page it is made. */
  readonly isOfWorkspace: boolean;
}

/** The fields of a new schedule. */
export function NewScheduleFields({ organization, permissions, isOfWorkspace }: NewFieldsOf) {
  const actions = allowedActions(permissions).filter((action) => action !== "PROMOTE" || !isOfWorkspace);
  const [action, setAction] = useState<ScheduledAction>(actions[0] ?? "RUN");
  const where =
    action === "PROMOTE" ? <StageField organization={organization} /> : <WhereFields {...{ organization }} />;
  return (
    <>
      <TextField name="name" label="Name" required maxLength={100} />
      <ActionField actions={actions} action={action} onChoose={setAction} />
      {!isOfWorkspace && where}
      <TimeFields action={action} />
    </>
  );
}

function WhereFields({ organization }: Pick<NewFieldsOf, "organization">) {
  const [workspaceId, choose] = useState("");
  return (
    <>
      <WorkspaceChoice
        organization={organization}
        name="workspaceId"
        label="Workspaces"
        others={[["", "All with a label"]]}
        onChoose={choose}
      />
      {workspaceId === "" && <TextField name="label" label="Label" required hint={LABEL_HINT} />}
    </>
  );
}

function StageField({ organization }: Pick<NewFieldsOf, "organization">) {
  const [{ data, fetching }] = useDocument(PipelineNamesDocument, { organization });
  const pipelines = data?.organization?.pipelines.edges.map(({ node }) => node) ?? [];
  // The first stage gets its commits by pushes.
  const choices = pipelines.flatMap(({ id, name, stages }) =>
    stages.slice(1).map((stage) => [`${id} ${stage.name}`, `${visible(stage.name)} of ${visible(name)}`] as const),
  );
  if (choices.length === 0) return <p>{fetching ? "Loading…" : "There is no pipeline yet."}</p>;
  return <ChoiceField name="stage" label="Stage" choices={choices} />;
}

import { useNavigate } from "@tanstack/react-router";
import {
  DeleteWorkspaceDocument,
  type LockScope,
  UpdateWorkspaceDocument,
  type WorkspaceQuery,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { changedOf, choiceOfField, entriesOfField, textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { choicesWith } from "../parts/words.ts";
import { GateFields, PermittedFields, readGates, readPermitted } from "./gate-fields.tsx";

type Shown = NonNullable<WorkspaceQuery["workspace"]>;

const LOCK_SCOPES: Readonly<Record<LockScope, string>> = {
  RUN: "For its whole time, also while it waits for people",
  EXECUTION: "Only while a runner executes it",
};

/** The commands that change a workspace itself. Only what a person has changed in a form is sent. */
export function WorkspaceCommands({ workspace, onChange }: { workspace: Shown; onChange: () => void }) {
  const navigate = useNavigate();
  const { id: workspaceId, name, description, labels, lockScope, organization } = workspace;
  const allows = (action: string): boolean =>
    workspace.actions.some((known) => known.action === action && known.allowed);
  return (
    <>
      {allows("UPDATE") && (
        <FormCommand
          document={UpdateWorkspaceDocument}
          label="Settings"
          title={`Settings of ${name}`}
          submit="Change the workspace"
          inputOf={(form) => ({ workspaceId, ...changesOf(form) })}
          onDone={({ workspace: changed }) => {
            if (changed.name === name) return onChange();
            const params = { organization: organization.slug, workspace: changed.name };
            void navigate({ to: "/o/$organization/w/$workspace", params });
          }}
        >
          <TextField
            name="name"
            label="Name"
            required
            hint="It is a part of the address of this page."
            defaultValue={name}
          />
          <TextField name="description" label="Purpose" defaultValue={description ?? ""} />
          <TextField
            name="labels"
            label="Labels"
            defaultValue={labels.join(", ")}
            hint="With commas: key, or key:value."
          />
          <ChoiceField
            name="lockScope"
            label="A run holds the workspace"
            choices={choicesWith(LOCK_SCOPES, lockScope)}
            defaultValue={lockScope}
          />
        </FormCommand>
      )}
      {allows("UPDATE_GATES") && (
        <FormCommand
          document={UpdateWorkspaceDocument}
          label="Gates"
          title={`Gates of ${name}`}
          submit="Change the gates"
          inputOf={(form) => ({ workspaceId, ...changedOf(form, { ...readGates(form), ...readPermitted(form) }) })}
          onDone={onChange}
        >
          <GateFields gates={workspace} />
          <PermittedFields permitted={workspace} />
        </FormCommand>
      )}
      {allows("DELETE") && (
        <Command
          document={DeleteWorkspaceDocument}
          input={{ workspaceId }}
          label="Delete the workspace"
          question={{
            title: `Delete the workspace ${name}`,
            text: "Its runs, variables and states are deleted with it. Its state has no resources, so nothing is left unmanaged.",
          }}
          onDone={() =>
            void navigate({ to: "/o/$organization/workspaces", params: { organization: organization.slug } })
          }
        />
      )}
    </>
  );
}

const changesOf = (form: HTMLFormElement) =>
  changedOf(form, {
    name: textOfField(form, "name"),
    description: textOfField(form, "description") || null,
    labels: entriesOfField(form, "labels"),
    lockScope: choiceOfField(form, "lockScope", LOCK_SCOPES),
  });

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CreateWorkspaceDocument, type WorkspaceSourceInput } from "../generated/graphql.ts";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { GateFields, readGates } from "./gate-fields.tsx";

const SOURCES = [
  ["git", "A git repository"],
  ["directory", "A folder on the disk of the server"],
] as const;

/** Creates a workspace, and opens its page. */
export function NewWorkspace({ organization }: { organization: string }) {
  const navigate = useNavigate();
  return (
    <FormCommand
      document={CreateWorkspaceDocument}
      label="New workspace"
      title="New workspace"
      submit="Create the workspace"
      isPrimary
      inputOf={(form) => ({
        organization,
        name: textOfField(form, "name"),
        description: textOfField(form, "description") || null,
        source: readSource(form),
        ...readGates(form),
      })}
      onDone={({ workspace: { name } }) =>
        void navigate({ to: "/o/$organization/w/$workspace", params: { organization, workspace: name } })
      }
    >
      <TextField
        name="name"
        label="Name"
        required
        maxLength={90}
        hint="Small letters, digits, hyphens, underscores, dots."
      />
      <TextField name="description" label="Purpose" />
      <SourceFields />
      <GateFields />
    </FormCommand>
  );
}

function SourceFields() {
  const [kind, setKind] = useState<string>(SOURCES[0][0]);
  return (
    <>
      <ChoiceField name="source" label="Configuration" choices={SOURCES} onChoose={setKind} />
      {kind === "directory" ? (
        <TextField name="path" label="Folder" required hint="The absolute path, below a source root of the server." />
      ) : (
        <>
          <TextField
            name="url"
            label="Address"
            required
            hint="https://, ssh:// or git@host:path, without credentials: these are variables."
          />
          <TextField name="branch" label="Branch" defaultValue="main" required />
          <TextField name="path" label="Folder in the repository" defaultValue="." required />
        </>
      )}
    </>
  );
}

function readSource(form: HTMLFormElement): WorkspaceSourceInput {
  const path = textOfField(form, "path");
  if (textOfField(form, "source") === "directory") return { directory: { path } };
  return { git: { url: textOfField(form, "url"), branch: textOfField(form, "branch"), path } };
}

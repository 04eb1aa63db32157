import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CreateWorkspaceDocument, type WorkspaceSourceInput } from "../generated/graphql.ts";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";
import { GateFields, readGates } from "./gate-fields.tsx";

const SOURCES = [
  ["git", "A git repository"],
  ["directory", "A folder on the disk of the server"],
] as const;

interface NewWorkspaceOf {
  readonly organization: string;
  /** The projects in which the person may create workspaces. */
  readonly projects: readonly { readonly id: string; readonly path: string }[];
}

/** The path of the project that each organization has from the start. */
const USUAL_PROJECT = "default";

/** Creates a workspace, and opens its page. */
export function NewWorkspace({ organization, projects }: NewWorkspaceOf) {
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
        projectId: textOfField(form, "projectId"),
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
      <ProjectField projects={projects} />
      <SourceFields />
      <GateFields />
    </FormCommand>
  );
}

/** The project into which the workspace goes: a choice where there is one. */
function ProjectField({ projects }: Pick<NewWorkspaceOf, "projects">) {
  const usual = projects.find(({ path }) => path === USUAL_PROJECT) ?? projects[0];
  if (projects.length === 1) return <input type="hidden" name="projectId" value={usual?.id} />;
  const choices = projects.map(({ id, path }) => [id, visible(path)] as const);
  return <ChoiceField name="projectId" label="Project" choices={choices} defaultValue={usual?.id ?? ""} />;
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

import { useNavigate } from "@tanstack/react-router";
import { CreateWorkspaceDocument } from "../generated/graphql.ts";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { visible } from "../parts/visible.ts";
import { readSource } from "../source/read-source.ts";
import { GateFields, readGates } from "./gate-fields.tsx";

const SourceFields = lazyPart(() => import("../source/source-fields.tsx"), "SourceFields");

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
      inputOf={async (form) => ({
        organization,
        name: textOfField(form, "name"),
        description: textOfField(form, "description") || null,
        projectId: textOfField(form, "projectId"),
        source: await readSource(form),
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
      <SourceFields organization={organization} />
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

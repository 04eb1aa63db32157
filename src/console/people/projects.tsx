import {
  CreateProjectDocument,
  DeleteProjectDocument,
  MoveProjectDocument,
  type ProjectRowFragment,
  UpdateProjectDocument,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { checkedOf, textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Mark } from "../parts/mark.tsx";
import { Table } from "../parts/table.tsx";
import { BoxesField, ChoiceField, TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";
import { principalOf } from "./grant-text.ts";
import type { PeopleSection } from "./people-section.ts";
import styles from "./projects.module.css";

const ISOLATED = [["isolated", "Grants from above do not reach into it"]] as const;

/** The tree of the projects of an organization, and the grants that begin in each. */
export function Projects({ organization, onChange }: PeopleSection) {
  const { id: organizationId, name, projects, viewerPermissions } = organization;
  const tree = projects.toSorted((a, b) => a.path.localeCompare(b.path));
  const places = tree
    .filter((project) => project.viewerPermissions.includes("PROJECT_WRITE"))
    .map(({ id, path }) => [id, visible(path)] as const);
  const top = viewerPermissions.includes("PROJECT_WRITE") ? [["", `directly below ${visible(name)}`] as const] : [];
  const canWrite = top.length + places.length > 0;
  return (
    <section className="panel" aria-label="Projects">
      <h2>Projects</h2>
      {canWrite && (
        <Commands>
          <FormCommand
            document={CreateProjectDocument}
            label="New project"
            title="New project"
            submit="Create the project"
            inputOf={(form) => ({
              organizationId,
              name: textOfField(form, "name"),
              parentId: textOfField(form, "parentId") || null,
              isolated: checkedOf(form, "flags").includes("isolated"),
            })}
            onDone={onChange}
          >
            <TextField name="name" label="Name" required />
            <ChoiceField name="parentId" label="Place" choices={[...top, ...places]} />
            <BoxesField name="flags" label="Isolation" choices={ISOLATED} />
          </FormCommand>
        </Commands>
      )}
      <ListState read={{ fetching: false }} count={tree.length} empty="There is no project that you may see." />
      {tree.length > 0 && (
        <Table
          label="Projects"
          heads={["Project", "Isolation", "Grants that begin here", ...(canWrite ? ["Commands"] : [])]}
        >
          {tree.map((project) => (
            <tr key={project.id}>
              <td>
                <span className={styles["name"]} data-depth={depthOf(project)}>
                  {visible(project.name)}
                </span>
              </td>
              <td>{project.isolated && <Mark tone="asks">isolated</Mark>}</td>
              <td>
                <ProjectGrants project={project} />
              </td>
              {canWrite && (
                <td>
                  {project.viewerPermissions.includes("PROJECT_WRITE") && (
                    <ProjectCommands project={project} places={[...top, ...places]} onChange={onChange} />
                  )}
                </td>
              )}
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** The number of projects above a project; a tree has five levels at most. */
const depthOf = ({ path }: ProjectRowFragment): number => path.split("/").length - 1;

function ProjectGrants({ project: { grants, viewerPermissions } }: { project: ProjectRowFragment }) {
  if (!viewerPermissions.includes("MEMBER_READ")) return <span className="quiet">not shown to you</span>;
  if (grants.length === 0) return <span className="quiet">none</span>;
  return grants.map((grant) => (
    <div key={grant.id}>
      {principalOf(grant)}: {visible(grant.role.name)}
    </div>
  ));
}

interface ProjectCommandsOf {
  readonly project: ProjectRowFragment;
  /** Where the person may put projects. */
  readonly places: readonly (readonly [id: string, name: string])[];
  readonly onChange: () => void;
}

function ProjectCommands({ project, places, onChange }: ProjectCommandsOf) {
  const { id: projectId, path, isolated, parent } = project;
  const name = visible(path);
  return (
    <Commands>
      <FormCommand
        document={UpdateProjectDocument}
        label="Change"
        title={`Change the project ${name}`}
        submit="Change the project"
        inputOf={(form) => ({
          projectId,
          name: textOfField(form, "name"),
          isolated: checkedOf(form, "flags").includes("isolated"),
        })}
        onDone={onChange}
        ifDeleted={`${name} was deleted meanwhile, or you may no longer see it.`}
      >
        <TextField name="name" label="Name" required defaultValue={project.name} />
        <BoxesField name="flags" label="Isolation" choices={ISOLATED} checked={isolated ? ["isolated"] : []} />
      </FormCommand>
      <FormCommand
        document={MoveProjectDocument}
        label="Move"
        title={`Move the project ${name}`}
        submit="Move the project"
        inputOf={(form) => ({ projectId, toProjectId: textOfField(form, "toProjectId") || null })}
        onDone={onChange}
        ifDeleted={`${name} was deleted meanwhile, or you may no longer see it.`}
      >
        <p>Rights flow down from its new place. Those from its former place end.</p>
        <ChoiceField
          name="toProjectId"
          label="Place"
          choices={places.filter(([id]) => id !== projectId)}
          defaultValue={parent?.id ?? ""}
        />
      </FormCommand>
      <Command
        document={DeleteProjectDocument}
        input={{ projectId }}
        label="Delete"
        question={{
          title: `Delete the project ${name}`,
          text: "It must have no workspace and no project in it. Its grants end.",
        }}
        onDone={onChange}
      />
    </Commands>
  );
}

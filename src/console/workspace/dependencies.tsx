import { Link } from "@tanstack/react-router";
import type { DependencyEndFragment, WorkspaceDependenciesFragment } from "../generated/graphql.ts";
import { Table } from "../parts/table.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

interface Row {
  readonly end: DependencyEndFragment;
  readonly trigger: string;
  readonly outputs: readonly { readonly output: string; readonly key: string }[];
}

/** The workspaces whose outputs a workspace takes, and those that take its own; nothing where there are none. */
export function Dependencies({ workspace }: { workspace: WorkspaceDependenciesFragment }) {
  const { dependencies, dependents } = workspace;
  if (dependencies.length + dependents.length === 0) return null;
  return (
    <section className="panel" aria-label="Dependencies">
      <h2>Dependencies</h2>
      <Ends label="Takes outputs of" rows={dependencies.map(({ upstream, ...row }) => ({ end: upstream, ...row }))} />
      <Ends label="Gives outputs to" rows={dependents.map(({ downstream, ...row }) => ({ end: downstream, ...row }))} />
    </section>
  );
}

function Ends({ label, rows }: { label: string; rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <Table label={label} heads={[label, "Status", "Outputs", "Starts a run"]}>
      {rows.map(({ end: { id, name, organization, deploymentStatus }, trigger, outputs }) => (
        <tr key={id}>
          <td>
            <Link to="/o/$organization/w/$workspace" params={{ organization: organization.slug, workspace: name }}>
              {name}
            </Link>
          </td>
          <td>{wordsOf(deploymentStatus)}</td>
          <td>{outputs.map(({ output, key }) => `${visible(output)} as ${visible(key)}`).join(", ")}</td>
          <td>{wordsOf(trigger)}</td>
        </tr>
      ))}
    </Table>
  );
}

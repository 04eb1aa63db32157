import { WorkspaceNamesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { ChoiceField } from "./text-field.tsx";

interface WorkspaceChoiceOf {
  readonly organization: string;
  readonly name: string;
  readonly label: string;
  /** Other choices, which are listed before the workspaces. */
  readonly others: readonly (readonly [value: string, text: string])[];
  readonly onChoose?: (value: string) => void;
}

/** A field with a choice of one workspace of an organization; it lists the first 100 by name. */
export function WorkspaceChoice({ organization, name, label, others, ...listeners }: WorkspaceChoiceOf) {
  const [{ data }] = useDocument(WorkspaceNamesDocument, { organization, search: null });
  const workspaces = data?.organization?.workspaces;
  const own = workspaces?.edges.map(({ node }) => [node.id, node.name] as const) ?? [];
  const hint = workspaces?.pageInfo.hasNextPage === true ? "The first 100 workspaces are listed." : "";
  return <ChoiceField name={name} label={label} choices={[...others, ...own]} hint={hint} {...listeners} />;
}

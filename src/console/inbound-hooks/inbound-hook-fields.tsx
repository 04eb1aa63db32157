import { type InboundHookKind, WorkspaceNamesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { BoxesField, ChoiceField, LinesField, TextField } from "../parts/text-field.tsx";

const KINDS: readonly (readonly [InboundHookKind, string])[] = [
  ["PLAN", "A plan alone"],
  ["DEPLOY", "A deployment, which stops at its gates"],
];

/** The fields of a new inbound hook. */
export function InboundHookFields({ organization }: { organization: string }) {
  const [{ data }] = useDocument(WorkspaceNamesDocument, { organization, search: null });
  const workspaces = data?.organization?.workspaces;
  return (
    <>
      <TextField
        name="name"
        label="Name"
        required
        maxLength={100}
        hint="It is the message of its runs: A new image was released."
      />
      <ChoiceField name="kind" label="Its runs" choices={KINDS} />
      <BoxesField
        name="workspaceIds"
        label="Workspaces, at most 20"
        choices={workspaces?.edges.map(({ node }) => [node.id, node.name] as const) ?? []}
        hint={workspaces?.pageInfo.hasNextPage === true ? "The first 100 workspaces are listed." : ""}
      />
      <LinesField
        name="mapping"
        label="Values of the body that its runs get as metadata (optional)"
        rows={2}
        hint="One a line, with a JSON pointer: ticket = /ticket/id."
      />
    </>
  );
}

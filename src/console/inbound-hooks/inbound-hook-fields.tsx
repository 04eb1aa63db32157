import { type InboundHookKind, type InboundHooksQuery, WorkspaceNamesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { BoxesField, ChoiceField, LinesField, TextField } from "../parts/text-field.tsx";
import { lineOfMapping } from "./mapping-line.ts";

const KINDS: readonly (readonly [InboundHookKind, string])[] = [
  ["PLAN", "A plan alone"],
  ["DEPLOY", "A deployment, which stops at its gates"],
];

export type Hook = NonNullable<InboundHooksQuery["organization"]>["inboundHooks"][number];

/** The fields of an inbound hook. `hook`: the one that is changed; absent for a new one. */
export function InboundHookFields({ organization, hook }: { organization: string; hook?: Hook }) {
  const [{ data }] = useDocument(WorkspaceNamesDocument, { organization, search: null });
  const workspaces = data?.organization?.workspaces;
  const names = new Map([
    ...(hook?.workspaces ?? []).map(({ id, name }) => [id, name] as const),
    ...(workspaces?.edges ?? []).map(({ node }) => [node.id, node.name] as const),
  ]);
  return (
    <>
      <TextField
        name="name"
        label="Name"
        required
        maxLength={100}
        hint="It is the message of its runs: A new image was released."
        defaultValue={hook?.name ?? ""}
      />
      <ChoiceField name="kind" label="Its runs" choices={KINDS} defaultValue={hook?.kind ?? "PLAN"} />
      <BoxesField
        name="workspaceIds"
        label="Workspaces, at most 20"
        choices={[...names]}
        checked={hook?.workspaces.map(({ id }) => id) ?? []}
        hint={workspaces?.pageInfo.hasNextPage === true ? "The first 100 workspaces are listed." : ""}
      />
      <LinesField
        name="mapping"
        label="Values of the body that its runs get as metadata (optional)"
        rows={2}
        hint='One a line, with a JSON pointer: ticket = /ticket/id. A key with = in it is in quotes: "a=b" = /c.'
        defaultValue={hook?.mapping.map(lineOfMapping).join("\n") ?? ""}
      />
    </>
  );
}

import type { WorkspaceSourceQuery } from "../generated/graphql.ts";
import { ChoiceField, LinesField, TextField } from "../parts/text-field.tsx";
import { SUPERSEDES } from "./read-source.ts";

type Trigger = NonNullable<WorkspaceSourceQuery["workspace"]>["trigger"];

/** The fields of the changes in a repository that start runs. */
export function TriggerFields({ trigger }: { trigger: Trigger }) {
  const { branch, tags, alsoReads, ignores, supersede } = trigger;
  return (
    <>
      <TextField
        name="branch"
        label="Branch whose pushes start runs"
        hint="Pushes start none, if you leave it empty."
        defaultValue={branch ?? ""}
      />
      <TextField
        name="tags"
        label="New tags that start a run"
        hint="A glob such as v*, or an expression of RE2 between slashes."
        defaultValue={tags ?? ""}
      />
      <LinesField
        name="alsoReads"
        label="Further files that it reads (optional)"
        rows={2}
        hint="One glob a line, from the root of the repository: shared/*.json."
        defaultValue={alsoReads.join("\n")}
      />
      <LinesField
        name="ignores"
        label="Files that do not count (optional)"
        rows={4}
        hint="One glob a line, from the root of the repository: **/*.md."
        defaultValue={ignores.join("\n")}
      />
      <ChoiceField
        name="supersede"
        label="Runs that end when a newer commit has one"
        choices={Object.entries(SUPERSEDES)}
        defaultValue={supersede}
      />
    </>
  );
}

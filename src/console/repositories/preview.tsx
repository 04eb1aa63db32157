import { useState } from "react";
import { PreviewTriggersDocument, type RepositoryQuery } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { textOfField } from "../parts/field.ts";
import { ListState } from "../parts/list-state.tsx";
import { TextField } from "../parts/text-field.tsx";
import { DecisionTable } from "./decision-table.tsx";
import { QuestionForm } from "./question-form.tsx";

type Shown = Pick<NonNullable<RepositoryQuery["repository"]>, "id" | "defaultBranch" | "changes">;

/** Shows the runs that a push would start, and starts none. */
export function Preview({ repository: { id: repositoryId, defaultBranch, changes } }: { repository: Shown }) {
  const [push, setPush] = useState<{ ref: string; commit: string } | null>(null);
  const variables = { repositoryId, ref: push?.ref ?? "", commit: push?.commit ?? "" };
  const [read, previewAgain] = useDocument(PreviewTriggersDocument, variables, { pause: push === null });
  const decisions = read.data?.previewTriggers ?? [];
  const submit = (form: HTMLFormElement): void => {
    const next = { ref: textOfField(form, "ref"), commit: textOfField(form, "commit") };
    if (next.ref === push?.ref && next.commit === push.commit) previewAgain();
    else setPush(next);
  };
  return (
    <section className="panel" aria-label="Preview">
      <h2>What would a push start?</h2>
      <QuestionForm submit="Preview" onSubmit={submit}>
        <TextField name="ref" label="Ref" required defaultValue={`refs/heads/${defaultBranch ?? "main"}`} />
        <TextField
          name="commit"
          label="Commit"
          required
          hint="Its full id. The repository must have it, on any branch."
          defaultValue={changes.edges[0]?.node.after ?? ""}
        />
      </QuestionForm>
      <output>
        {push !== null && (
          <ListState
            read={read}
            count={decisions.length}
            empty="No workspace whose runs you may see has this source."
          />
        )}
        {push !== null && decisions.length > 0 && <DecisionTable label="Preview" decisions={decisions} />}
      </output>
    </section>
  );
}

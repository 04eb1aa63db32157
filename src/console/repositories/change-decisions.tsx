import { useState } from "react";
import { ExplainTriggerDocument, OrganizationRunsDocument, RefChangeDecisionsDocument } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { textOfField } from "../parts/field.ts";
import { ListState } from "../parts/list-state.tsx";
import { useReread } from "../parts/use-reread.ts";
import { useTick } from "../parts/use-tick.ts";
import { WorkspaceChoice } from "../parts/workspace-choice.tsx";
import { DecisionTable } from "./decision-table.tsx";
import { QuestionForm } from "./question-form.tsx";

interface ChangeDecisionsProps {
  readonly changeId: string;
  readonly organization: { readonly id: string; readonly slug: string };
}

/** The workspaces that a change concerned, and why it started a run or none in any other one. */
export function ChangeDecisions({ changeId, organization }: ChangeDecisionsProps) {
  const [read, reload] = useDocument(RefChangeDecisionsDocument, { id: changeId });
  // The runs are created a moment after the decision.
  useStream(OrganizationRunsDocument, { organizationId: organization.id }, { onItem: useReread(reload) });
  useTick(reload);
  const node = read.data?.node;
  const found = node?.__typename === "RefChange" ? node.decisions : undefined;
  const decisions = found?.edges.map(({ node: decision }) => decision) ?? [];
  return (
    <>
      <ListState read={read} count={decisions.length} empty="It concerned no workspace." />
      {decisions.length > 0 && <DecisionTable label="Workspaces that it concerned" decisions={decisions} />}
      {found?.pageInfo.hasNextPage === true && <p className="quiet">Only 50 workspaces are shown.</p>}
      <Explanation changeId={changeId} organization={organization} />
    </>
  );
}

function Explanation({ changeId, organization }: ChangeDecisionsProps) {
  const [workspaceId, choose] = useState<string | null>(null);
  const variables = { refChangeId: changeId, workspaceId: workspaceId ?? "" };
  const [read, explainAgain] = useDocument(ExplainTriggerDocument, variables, { pause: workspaceId === null });
  const decision = read.data?.explainTrigger ?? null;
  const submit = (form: HTMLFormElement): void => {
    const chosen = textOfField(form, "workspaceId");
    if (chosen === workspaceId) explainAgain();
    else choose(chosen);
  };
  return (
    <>
      <QuestionForm submit="Explain" onSubmit={submit}>
        <WorkspaceChoice organization={organization.slug} name="workspaceId" label="Why, or why not, in" others={[]} />
      </QuestionForm>
      <output>
        {workspaceId !== null && (
          <ListState
            read={read}
            count={decision === null ? 0 : 1}
            empty="You may not see the runs of this workspace."
          />
        )}
        {decision !== null && <DecisionTable label="Explanation" decisions={[decision]} />}
      </output>
    </>
  );
}

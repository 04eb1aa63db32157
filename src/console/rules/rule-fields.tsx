import { useState } from "react";
import {
  ApproversDocument,
  type ApprovalRuleItemFragment,
  type ApproversQuery,
  type Gate,
} from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { BoxesField, ChoiceField, LinesField, TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { GATE_KINDS, TRIGGERS } from "./rule-input.ts";

const GATES: readonly (readonly [Gate, string])[] = [
  ["PLAN", "The plan gate: is the plan acceptable?"],
  ["APPLY", "The apply gate: may it start now?"],
];
const FLAGS = [
  ["excludeRequester", "Not by the person who asked for the plan"],
  ["distinctFromPlanApprover", "Not by a person who approved the plan, at the apply gate"],
  ["commentRequired", "Only with a comment"],
  ["requirePresence", "Only by people who have just signed in"],
  ["machinesCount", "Machines count, and people with tokens alone"],
] as const;

/** The fields of an approval rule. */
export function RuleFields({ rule, organization }: { rule?: ApprovalRuleItemFragment; organization: string }) {
  const [gate, setGate] = useState<Gate>(rule?.gate ?? "PLAN");
  return (
    <>
      <TextField name="name" label="Name" required maxLength={100} defaultValue={rule?.name ?? ""} />
      <ChoiceField
        name="gate"
        label="Gate"
        choices={GATES}
        defaultValue={gate}
        onChoose={(value) => setGate(value === "PLAN" ? "PLAN" : "APPLY")}
      />
      <TextField name="minimum" label="Approvals" type="number" required min={1} defaultValue={rule?.minimum ?? 1} />
      <ApproverFields rule={rule} organization={organization} />
      <BoxesField
        name="flags"
        label="An approval counts"
        choices={FLAGS}
        checked={FLAGS.flatMap(([flag]) => (rule?.[flag] === true ? [flag] : []))}
      />
      <BoxesField
        key={gate}
        name="kinds"
        label="Kinds of runs"
        choices={GATE_KINDS[gate].map((kind) => [kind, wordsOf(kind)] as const)}
        checked={rule?.kinds ?? ["DEPLOY", "DESTROY", "APPLY"]}
      />
      <ConditionFields when={rule?.when} />
    </>
  );
}

type Organization = ApproversQuery["organization"] | undefined;

/** The people and teams that can be named. Those that the rule names stay, also if the person may not read them. */
function ApproverFields({ rule, organization }: { rule: ApprovalRuleItemFragment | undefined; organization: string }) {
  const [{ data, fetching }] = useDocument(ApproversDocument, { organization });
  if (data === undefined && fetching) return <p className="quiet">Loading the people…</p>;
  return (
    <>
      <p className="quiet">Anyone who may approve counts, unless teams or people are chosen here.</p>
      <BoxesField
        name="teamIds"
        label="Teams whose members count"
        choices={teamsOf(data?.organization, rule)}
        checked={rule?.teamIds ?? []}
      />
      <BoxesField
        name="approverIds"
        label="People who count"
        choices={peopleOf(data?.organization, rule)}
        checked={rule?.approvers.map(({ id }) => id) ?? []}
      />
    </>
  );
}

function teamsOf(found: Organization, rule: ApprovalRuleItemFragment | undefined): [string, string][] {
  const teams = new Map(rule?.teamIds.map((id) => [id, `a team that you may not read (${id})`]));
  for (const { id, name } of [...(rule?.teams ?? []), ...(found?.teams ?? [])]) teams.set(id, visible(name));
  return [...teams];
}

function peopleOf(found: Organization, rule: ApprovalRuleItemFragment | undefined): [string, string][] {
  const known = [...(rule?.approvers ?? []), ...(found?.members.map(({ actor }) => actor) ?? [])];
  return [...new Map(known.map(({ id, name }) => [id, visible(name)]))];
}

function ConditionFields({ when }: { when: ApprovalRuleItemFragment["when"] | undefined }) {
  return (
    <>
      <h3>Only of some runs</h3>
      <p className="quiet">The rule is for all runs of its kinds, if you leave these fields empty.</p>
      <TextField
        name="minDestructions"
        label="That destroy at least"
        type="number"
        min={1}
        defaultValue={when?.minDestructions ?? ""}
      />
      <TextField
        name="minReplacements"
        label="That replace at least"
        type="number"
        min={1}
        defaultValue={when?.minReplacements ?? ""}
      />
      <TextField
        name="monthlyCostDeltaOver"
        label="That raise the monthly cost by more than"
        type="number"
        min={0}
        step="any"
        defaultValue={when?.monthlyCostDeltaOver ?? ""}
      />
      <LinesField
        name="resourceTypes"
        label="That change resources of these types (optional)"
        rows={2}
        hint="One a line, such as aws_iam_role or aws_iam_*."
        defaultValue={when?.resourceTypes.join("\n") ?? ""}
      />
      <TextField
        name="labels"
        label="Of workspaces with one of these labels"
        hint="With commas: key, or key:value."
        defaultValue={when?.labels.join(", ") ?? ""}
      />
      <BoxesField
        name="triggers"
        label="Created by"
        choices={Object.entries(TRIGGERS)}
        checked={when?.triggers ?? []}
      />
    </>
  );
}

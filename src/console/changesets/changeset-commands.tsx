import { useState } from "react";
import {
  ApproveChangesetDocument,
  type ChangesetRowFragment,
  ContinueChangesetDocument,
  DiscardChangesetDocument,
  type Gate,
  type RunRowFragment,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { Counts } from "../parts/counts.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";
import { planOf } from "./plan-counts.ts";

/** The gates, with the status of the runs that wait there. */
const GATES = [
  { gate: "PLAN", status: "AWAITING_PLAN_APPROVAL", label: "Approve the plans" },
  { gate: "APPLY", status: "AWAITING_APPLY_APPROVAL", label: "Approve the applies" },
] as const satisfies readonly { gate: Gate; status: RunRowFragment["status"]; label: string }[];

interface ChangesetCommandsOf {
  readonly changeset: ChangesetRowFragment;
  readonly runs: readonly RunRowFragment[];
  readonly onChange: () => void;
}

/** The decisions about all runs of a changeset; nothing once all have ended. */
export function ChangesetCommands({ changeset, runs, onChange }: ChangesetCommandsOf) {
  const { id: changesetId, heldAt, discardedAt } = changeset;
  const title = visible(changeset.title);
  const isOpen = heldAt != null || runs.length === 0 || runs.some(({ isTerminal }) => !isTerminal);
  if (!isOpen || discardedAt != null) return null;
  return (
    <Commands>
      {GATES.map(({ gate, status, label }) => {
        const count = runs.filter((run) => run.status === status).length;
        return count > 0 && <Approve key={gate} {...{ gate, label, count, changeset, onChange }} />;
      })}
      {heldAt != null && (
        <Command document={ContinueChangesetDocument} input={{ changesetId }} label="Continue" onDone={onChange} />
      )}
      <Command
        document={DiscardChangesetDocument}
        input={{ changesetId }}
        label="Discard"
        question={{
          title: `Discard the changeset ${title}`,
          text: "Its runs that wait are discarded, and those that have not begun are not created.",
        }}
        onDone={onChange}
      />
    </Commands>
  );
}

interface ApproveOf {
  readonly changeset: ChangesetRowFragment;
  readonly gate: Gate;
  readonly label: string;
  readonly count: number;
  readonly onChange: () => void;
}

/** Approves all runs that wait at a gate, with the plans that were shown when the dialog was opened. */
function Approve({ changeset, gate, label, count, onChange }: ApproveOf) {
  return (
    <FormCommand
      document={ApproveChangesetDocument}
      label={label}
      title={`${label} of ${visible(changeset.title)}`}
      submit={label}
      inputOf={(form) => ({
        changesetId: changeset.id,
        gate,
        version: Number(textOfField(form, "version")),
        planDigest: textOfField(form, "planDigest"),
        comment: textOfField(form, "comment") || null,
      })}
      onDone={onChange}
    >
      <Shown changeset={changeset} count={count} />
      <TextField name="comment" label="Comment" />
    </FormCommand>
  );
}

/** The plans that the decision is about: those of the moment when the dialog was opened. */
function Shown({ changeset, count }: { changeset: ChangesetRowFragment; count: number }) {
  const [seen] = useState(changeset);
  const [waiting] = useState(count);
  return (
    <>
      <p>
        {waiting} {waiting === 1 ? "run waits" : "runs wait"}. All plans of the changeset:{" "}
        <Counts plan={planOf(seen)} />
      </p>
      {changeset.planDigest !== seen.planDigest && (
        <p role="alert" className="problem">
          Other plans took the place of these while you read. Close this and read them.
        </p>
      )}
      <input type="hidden" name="version" value={seen.version} />
      <input type="hidden" name="planDigest" value={seen.planDigest ?? ""} />
    </>
  );
}

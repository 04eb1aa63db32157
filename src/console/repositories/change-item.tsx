import { useState } from "react";
import { ChangesetLink } from "../changesets/changeset-link.tsx";
import type { RepositoryQuery } from "../generated/graphql.ts";
import { Mark } from "../parts/mark.tsx";
import { shortDigest } from "../parts/short-digest.ts";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import styles from "./change-item.module.css";
import { ChangeDecisions } from "./change-decisions.tsx";
import { refName } from "./ref-name.ts";

type Change = NonNullable<RepositoryQuery["repository"]>["changes"]["edges"][number]["node"];

interface ChangeItemProps {
  readonly change: Change;
  readonly organization: { readonly id: string; readonly slug: string };
}

/** How the server learned of a change; a later release may have more ways. */
const FINDERS: Readonly<Record<string, string>> = {
  HOOK: "found by a hook",
  POLL: "found by polling",
  CALLER: "found when a person had it read",
};

/** A branch or a tag that moved. Opened, it shows the workspaces that it concerned, and explains any other one. */
export function ChangeItem({ change, organization }: ChangeItemProps) {
  const [isOpen, setOpen] = useState(false);
  const { id, ref, before, after, foundAt, foundBy, forced, changeset } = change;
  return (
    <details
      className={styles["change"]}
      data-change={id}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <strong>{visible(refName(ref))}</strong>{" "}
        <code>
          {before == null ? "new" : shortDigest(before)} → {after == null ? "deleted" : shortDigest(after)}
        </code>{" "}
        <Result change={change} />{" "}
        <span className="quiet">
          {forced === true && "forced, "}
          {FINDERS[foundBy] ?? wordsOf(foundBy)}, <Ago at={foundAt} />
        </span>
      </summary>
      {changeset != null && (
        <p>
          Changeset <ChangesetLink organization={organization.slug} changeset={changeset} />
        </p>
      )}
      {isOpen && <ChangeDecisions changeId={id} organization={organization} />}
    </details>
  );
}

function Result({ change: { decidedAt, changeset } }: { change: Change }) {
  if (decidedAt == null) return <Mark tone="busy">is being decided</Mark>;
  if (changeset == null) return <Mark tone="quiet">started no run</Mark>;
  if (changeset.heldAt != null) return <Mark tone="asks">waits for a person: so many runs</Mark>;
  return <Mark tone="good">runs: {wordsOf(changeset.state)}</Mark>;
}

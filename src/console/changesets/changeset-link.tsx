import { Link } from "@tanstack/react-router";
import { visible } from "../parts/visible.ts";

interface ChangesetLinkOf {
  readonly organization: string;
  readonly changeset: { readonly id: string; readonly title: string };
  /** Whether the keys of a list stop at it. */
  readonly isStop?: boolean;
}

/** A link to a changeset, by its title. */
export function ChangesetLink({ organization, changeset: { id, title }, isStop = false }: ChangesetLinkOf) {
  return (
    <Link
      to="/o/$organization/changesets/$changeset"
      params={{ organization, changeset: id }}
      data-stop={isStop ? "" : undefined}
    >
      {visible(title)}
    </Link>
  );
}

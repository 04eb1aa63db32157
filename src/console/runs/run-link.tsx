import { Link } from "@tanstack/react-router";

/** A run, as far as its address needs it. */
export interface LinkedRun {
  readonly number: number;
  readonly workspace: { readonly name: string; readonly organization: { readonly slug: string } };
}

/** A link to the page of a run: `network #212`. */
export function RunLink({ run: { number, workspace } }: { run: LinkedRun }) {
  const params = { organization: workspace.organization.slug, workspace: workspace.name, number: String(number) };
  return (
    <Link to="/o/$organization/w/$workspace/runs/$number" params={params} data-stop="">
      {workspace.name} #{number}
    </Link>
  );
}

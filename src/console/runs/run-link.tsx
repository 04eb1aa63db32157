import { Link, useNavigate } from "@tanstack/react-router";

/** A run, as far as its address needs it. */
export interface LinkedRun {
  readonly number: number;
  readonly workspace: { readonly name: string; readonly organization: { readonly slug: string } };
}

/** A link to the page of a run: `network #212`. */
export function RunLink({ run }: { run: LinkedRun }) {
  return (
    <Link to="/o/$organization/w/$workspace/runs/$number" params={paramsOf(run)} data-stop="">
      {run.workspace.name} #{run.number}
    </Link>
  );
}

/** Gives the function that opens the page of a run. */
export function useOpenRun(): (run: LinkedRun) => void {
  const navigate = useNavigate();
  return (run) => void navigate({ to: "/o/$organization/w/$workspace/runs/$number", params: paramsOf(run) });
}

/** Gives the parameters of the address of a run. */
export function paramsOf({ number, workspace }: LinkedRun): {
  organization: string;
  workspace: string;
  number: string;
} {
  return { organization: workspace.organization.slug, workspace: workspace.name, number: String(number) };
}

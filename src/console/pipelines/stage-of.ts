/** Which changesets are in which stage of a pipeline, and what of them has gone on. Pure. */
import type { PipelineQuery } from "../generated/graphql.ts";

export type ShownChangeset = NonNullable<PipelineQuery["organization"]>["changesets"]["edges"][number]["node"];
type Promotion = ShownChangeset["promotions"][number];

/** A changeset, as far as its workspaces have labels. */
interface Labelled {
  readonly runs: {
    readonly edges: readonly { readonly node: { readonly workspace: { readonly labels: readonly string[] } } }[];
  };
}

/** Whether a label of a workspace is selected: `env` selects each `env:…`. */
function isSelected(label: string, selector: string): boolean {
  return label === selector || (!selector.includes(":") && label.startsWith(`${selector}:`));
}

/** Whether a changeset is in a stage: all of its workspaces have the label. One without runs is in none. */
export function isInStage({ runs: { edges } }: Labelled, { label: selector }: { readonly label: string }): boolean {
  const of = edges.map(({ node }) => node.workspace.labels);
  return of.length > 0 && of.every((labels) => labels.some((label) => isSelected(label, selector)));
}

/** Gives the promotion of a changeset to a stage of a pipeline; `null` if there is none. */
export function promotionTo(
  { promotions }: Pick<ShownChangeset, "promotions">,
  pipelineId: string,
  stage: string,
): Promotion | null {
  return promotions.find((each) => each.pipeline?.id === pipelineId && each.stage === stage) ?? null;
}

/** Whether a person may try to promote a changeset: it deploys a commit, and all of its runs ended well. */
export function isPromotable({ kind, state }: Pick<ShownChangeset, "kind" | "state">): boolean {
  return kind === "DEPLOY" && (state === "APPLIED" || state === "NO_CHANGES");
}

/** Gives the commits of a changeset, each once: its own, or those that its runs have of the sources of their workspaces. */
export function commitsOf({ commit, runs }: Pick<ShownChangeset, "commit" | "runs">): string[] {
  if (commit != null) return [commit];
  return [...new Set(runs.edges.flatMap(({ node }) => node.revision ?? []))];
}

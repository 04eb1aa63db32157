/** The settings of a workspace for changes in its repository: which of them start runs. */
export const SUPERSEDE_MODES = ["EVERYTHING_UNAPPROVED", "NOTHING", "UNSTARTED"] as const;
/** The runs of a ref that end when a newer commit of it has a run. */
export type Supersede = (typeof SUPERSEDE_MODES)[number];

export interface WorkspaceTrigger {
  /** The branch whose pushes start runs; `null` if none does. */
  branch: string | null;
  /** The tags that start runs when they are new: a glob, or a regular expression between slashes. */
  tags: string | null;
  supersede: Supersede;
  /** Globs of further files of the repository that count as inputs. */
  alsoReads: readonly string[];
  /** Globs of files that do not count. */
  ignores: readonly string[];
}

export const NO_TRIGGER: WorkspaceTrigger = {
  branch: null,
  tags: null,
  supersede: "EVERYTHING_UNAPPROVED",
  alsoReads: [],
  ignores: ["**/*.md", "**/LICENSE*", "**/.github/**", "**/CODEOWNERS"],
};

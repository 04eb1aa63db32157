import { LIMITS } from "../../model/kit/limits.ts";
import type { Supersede, WorkspaceTrigger } from "../../model/workspace/workspace-trigger.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { RepositoryRef, WorkspaceRef, repositoryLoader } from "../kit/refs.ts";

const SupersedeEnum = describedEnum<Supersede>(
  "Supersede",
  "The runs of a ref that end when a newer commit of it has a run. Runs that are approved never do.",
  {
    EVERYTHING_UNAPPROVED: "Runs that did not start, and plans that wait for an approval.",
    NOTHING: "None.",
    UNSTARTED: "Runs that did not start.",
  },
);

const BRANCH = "The branch whose pushes start runs of kind DEPLOY";
const TAGS =
  "The tags that start a run of kind DEPLOY when they are new: a glob such as `v*`, or a regular expression of RE2 between slashes";
const SUPERSEDE = "The runs that end when a newer commit of the same ref has a run.";
const ALSO_READS = `Globs of further files that count as inputs, from the root of the repository; at most ${LIMITS.triggerPatterns}.`;
const IGNORES = `Globs of files that do not count as inputs, from the root of the repository; at most ${LIMITS.triggerPatterns}.`;

/** With the repository of the source. */
interface ShownTrigger extends WorkspaceTrigger {
  repositoryId: string | null;
}

const WorkspaceTriggerRef = builder.objectRef<ShownTrigger>("WorkspaceTrigger").implement({
  description: "The changes in the repository of a workspace that start runs.",
  fields: (t) => ({
    repository: t.field({
      type: RepositoryRef,
      nullable: true,
      description:
        "The repository of the source. `null` if the source names none, or the caller may not read the repository.",
      resolve: ({ repositoryId }, _args, { loaders }) =>
        repositoryId === null ? null : loaders.load(repositoryLoader, repositoryId),
    }),
    branch: t.exposeString("branch", { nullable: true, description: `${BRANCH}. \`null\` if pushes start none.` }),
    tags: t.exposeString("tags", { nullable: true, description: `${TAGS}. \`null\` if tags start none.` }),
    supersede: t.expose("supersede", { type: SupersedeEnum, description: SUPERSEDE }),
    alsoReads: t.stringList({ description: ALSO_READS, resolve: ({ alsoReads }) => alsoReads }),
    ignores: t.stringList({ description: IGNORES, resolve: ({ ignores }) => ignores }),
  }),
});

builder.objectField(WorkspaceRef, "trigger", (t) =>
  t.field({
    type: WorkspaceTriggerRef,
    description: "The changes in its repository that start runs.",
    resolve: ({ trigger, source }) => {
      const repositoryId = source.type === "git" ? (source.repositoryId ?? null) : null;
      return { ...trigger, repositoryId };
    },
  }),
);

export const TRIGGER_INPUT_WORDS =
  "The changes in its repository that start runs. Changing it needs the permission to create runs of kind DEPLOY.";

export const WorkspaceTriggerInputRef = builder.inputType("WorkspaceTriggerInput", {
  description:
    "The triggers of runs. An absent field is not changed; null clears `branch` and `tags`, and is invalid elsewhere. Without `branch` and `tags` nothing does. They need a source with `repositoryId`.",
  fields: (t) => ({
    branch: t.string({ description: `${BRANCH}.` }),
    tags: t.string({ description: `${TAGS}.` }),
    supersede: t.field({ type: SupersedeEnum, description: `${SUPERSEDE} The default is EVERYTHING_UNAPPROVED.` }),
    alsoReads: t.stringList({ description: ALSO_READS }),
    ignores: t.stringList({
      description: `${IGNORES} The default is Markdown, licences, CODEOWNERS and \`.github\`.`,
    }),
  }),
});

import { type Promotion, type PromotionState, promotionState } from "../../model/promotion/promotion.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { mutation } from "../kit/mutation.ts";
import { ChangesetRef, changesetLoader } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { pipelineLoader, PipelineRef } from "./pipeline.ts";

const promotionsLoader = loaderOf((domain, caller, ids) => domain.promotionsOf(caller, ids));

const StateEnum = describedEnum<PromotionState>("PromotionState", "Where a promotion is.", {
  SOAKING: "The stage gets the commits at `dueAt`.",
  PROMOTED: "The stage has a changeset with the commits.",
  SUPERSEDED: "A newer changeset of the same repository is promoted in place of this one.",
  FAILED: "The stage did not get the commits: see `problem`. `promoteChangeset` tries again.",
});

const PromotionRef = builder.objectRef<Promotion>("Promotion").implement({
  extensions: requiredPermissions("RUN_READ"),
  description: "The way of a changeset to the next stage of a pipeline.",
  fields: (t) => ({
    pipeline: t.field({
      type: PipelineRef,
      nullable: true,
      description: "The pipeline. `null` if it was deleted.",
      resolve: ({ pipelineId }, _args, { loaders }) => loaders.load(pipelineLoader, pipelineId),
    }),
    stage: t.exposeString("stage", { description: "The name of the stage." }),
    state: t.field({ type: StateEnum, description: "Where it is.", resolve: promotionState }),
    dueAt: t.expose("dueAt", {
      type: "DateTime",
      nullable: true,
      description: "When the stage gets the commits automatically. `null` unless they soak.",
    }),
    changeset: t.field({
      type: ChangesetRef,
      nullable: true,
      description: "The changeset of the stage. `null` if there is none, or the caller may see none of its runs.",
      extensions: LEAVES_WORKSPACE,
      resolve: ({ changesetId }, _args, { loaders }) =>
        changesetId === null ? null : loaders.load(changesetLoader, changesetId),
    }),
    supersededBy: t.field({
      type: ChangesetRef,
      nullable: true,
      description:
        "The newer changeset that is promoted in place of this one. `null` if there is none, or the caller may see none of its runs.",
      extensions: LEAVES_WORKSPACE,
      resolve: ({ supersededById }, _args, { loaders }) =>
        supersededById === null ? null : loaders.load(changesetLoader, supersededById),
    }),
    problem: t.exposeString("problem", {
      nullable: true,
      description: "Why the stage did not get the commits. `null` if nothing was wrong.",
    }),
  }),
});

builder.objectFields(ChangesetRef, (t) => ({
  origin: t.field({
    type: ChangesetRef,
    nullable: true,
    description:
      "The changeset of the stage before, whose commits it promotes. `null` if it is no promotion, or the caller may see none of its runs.",
    extensions: LEAVES_WORKSPACE,
    resolve: ({ originId }, _args, { loaders }) => (originId === null ? null : loaders.load(changesetLoader, originId)),
  }),
  promotions: t.field({
    type: [PromotionRef],
    description:
      "Its promotions to further stages, also those that soak. Empty unless the caller may read the runs of the whole organization.",
    extensions: LEAVES_WORKSPACE,
    resolve: ({ id }, _args, { loaders }) => loaders.load(promotionsLoader, id),
  }),
}));

mutation("promoteChangeset", {
  description:
    "Opens a changeset in the next stage of a pipeline with the commits that a changeset has applied. Its runs plan again and ask their own gates. They wait with the blocker SOAKING until the stage before has been applied for long enough. It takes the permission to create runs in each workspace of the stage.",
  argument: "The changeset to promote, and where to.",
  input: {
    description: "The changeset to promote, and where to.",
    fields: (t) => ({
      changesetId: t.id({
        required: true,
        description: "The changeset, which must be APPLIED or NO_CHANGES, and of the stage before.",
      }),
      pipelineId: t.id({ required: true, description: "The pipeline." }),
      stage: t.string({ required: true, description: "The name of the stage that gets the commits." }),
      idempotencyKey: t.string({
        description:
          "An idempotency key. A repeated request with the same key within 24 hours returns the first changeset.",
      }),
    }),
  },
  success: {
    description: "The stage has a changeset with the commits.",
    fields: (t) => ({
      changeset: t.field({
        type: ChangesetRef,
        description: "The changeset of the stage. Its runs are created in the background.",
        resolve: ({ value }) => value.changeset,
      }),
      created: t.boolean({
        description: "Whether it is new. `false` if the changeset was promoted to the stage before.",
        resolve: ({ value }) => value.created,
      }),
    }),
  },
  run: ({ promoteChangeset }, caller, { input }) =>
    promoteChangeset(caller, { ...input, idempotencyKey: input.idempotencyKey ?? null }),
});

import type { ChangesetFigures, ChangesetSource, ChangesetWave } from "../../model/changeset/changeset.ts";
import { appliedAtOf, type ChangesetState, stateOf } from "../../model/changeset/changeset-state.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import {
  ChangesetRef,
  changesetLoader,
  OrganizationRef,
  organizationLoader,
  RefChangeRef,
  refChangeLoader,
  RunRef,
} from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { RunKindEnum } from "../run/run-enums.ts";
import { readRuns, RunConnectionRef, runListArgs } from "../run/run-list.ts";
import { wholeRunField } from "../run/whole-run.ts";

const wavesLoader = loaderOf((domain, caller, ids) => domain.changesetWaves(caller, ids));

const ChangesetSourceEnum = describedEnum<ChangesetSource>("ChangesetSource", "The cause of a changeset.", {
  DEPENDENCY: "Workspaces depend on one that was applied.",
  INBOUND_HOOK: "A delivery of another system to an inbound hook.",
  MANUAL: "A person or a machine user.",
  PROMOTION: "A commit was promoted to the next stage.",
  PULL_REQUEST: "A pull request was opened or changed.",
  PUSH: "A push.",
  SCHEDULE: "A schedule.",
  TAG: "A new tag.",
});

export const ChangesetStateEnum = describedEnum<ChangesetState>("ChangesetState", "Where a changeset is.", {
  PLANNING: "Some of its runs have no plan yet.",
  PLANNED: "Its plans are ready: they wait for people, or were all that was asked for.",
  APPLYING: "Some of its runs are approved or applied; others are not yet.",
  APPLIED: "All runs have ended, and all that had changes were applied.",
  PARTLY_APPLIED: "All runs have ended. Some were applied; others failed, or were not wanted.",
  FAILED: "All runs have ended. None was applied, and some failed.",
  DISCARDED: "All runs have ended. None was applied: they were not wanted.",
  NO_CHANGES: "All runs have ended. There was nothing to apply: the plans had no changes, or the runs were skipped.",
  SUPERSEDED: "All runs have ended. None was applied: a newer commit took their place.",
});

const CountsRef = builder.objectRef<ChangesetFigures>("ChangesetCounts").implement({
  description: "Counts over the workspaces of a changeset that the caller may see.",
  fields: (t) => ({
    workspaces: t.exposeInt("workspaces", { description: "The number of workspaces." }),
    additions: t.exposeInt("additions", { description: "The resources that the newest plans create." }),
    changes: t.exposeInt("changes", { description: "The resources that the newest plans change." }),
    destructions: t.exposeInt("destructions", { description: "The resources that the newest plans destroy." }),
    noChanges: t.exposeInt("noChanges", { description: "The workspaces whose plan has no changes." }),
    applied: t.exposeInt("applied", { description: "The workspaces whose changes were applied." }),
    skipped: t.exposeInt("skipped", { description: "The workspaces whose run was skipped." }),
    unwanted: t.exposeInt("unwanted", {
      description:
        "The workspaces whose run was discarded, rejected, cancelled, superseded, or stopped before it changed anything.",
    }),
    failed: t.exposeInt("failed", {
      description:
        "The workspaces whose run failed, timed out, was stopped while it changed something, or could not be created.",
    }),
    waiting: t.exposeInt("waiting", { description: "The workspaces whose run waits for a person at a gate." }),
  }),
});

const WaveRef = builder.objectRef<ChangesetWave>("ChangesetWave").implement({
  description: "The workspaces of a changeset that may run at the same time; those of later waves wait for them.",
  fields: (t) => ({
    index: t.exposeInt("index", { description: "The position of the wave, from 0." }),
    total: t.exposeInt("total", { description: "The number of its workspaces that the caller may see." }),
    ended: t.exposeInt("ended", { description: "How many of them have ended." }),
    failed: t.exposeInt("failed", { description: "How many of them have failed." }),
  }),
});

addNode("changeset", "Changeset", changesetLoader);
ChangesetRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description:
    "One change over many workspaces, with a run in each. It shows, and counts, those workspaces whose runs the caller may read.",
  interfaces: [NodeRef],
  fields: (t) => ({
    organization: t.field({
      type: OrganizationRef,
      nullable: true,
      description: "The organization of its workspaces. `null` if the caller may not read it.",
      resolve: ({ organizationId }, _args, { loaders }) => loaders.load(organizationLoader, organizationId),
    }),
    source: t.expose("source", { type: ChangesetSourceEnum, description: "The cause." }),
    kind: t.expose("kind", { type: RunKindEnum, description: "The kind of its runs." }),
    state: t.field({ type: ChangesetStateEnum, description: "Where it is.", resolve: stateOf }),
    version: t.int({
      description: "Grows whenever one of its workspaces has another run or another plan.",
      resolve: ({ figures }) => figures.version,
    }),
    title: t.exposeString("title", { description: "The reason for its runs, for their approvers." }),
    commit: t.exposeString("commit", {
      nullable: true,
      description: "The commit that its runs have. `null` if they have the sources of their workspaces.",
    }),
    planDigest: t.string({
      nullable: true,
      description:
        "The digest of its newest plans. It differs whenever one of them is another one. `null` before the first plan.",
      resolve: ({ figures }) => figures.planDigest,
    }),
    waves: t.field({
      type: [WaveRef],
      description: "Its waves, in order.",
      resolve: ({ id }, _args, { loaders }) => loaders.load(wavesLoader, id),
    }),
    counts: t.field({ type: CountsRef, description: "Counts.", resolve: ({ figures }) => figures }),
    runs: t.field({
      type: RunConnectionRef,
      description: "Its runs, newest first, those that others took the place of included.",
      args: runListArgs(),
      resolve: ({ id }, args, context, info) => readRuns(context, { changesetId: id }, args, info),
    }),
    heldAt: t.expose("heldAt", {
      type: "DateTime",
      nullable: true,
      description:
        "Since when the creation of its runs waits for `continueChangeset`, because there are so many. `null` if it does not.",
    }),
    refChange: t.field({
      type: RefChangeRef,
      nullable: true,
      description:
        "The change of a branch or a tag that caused it. `null` if something else did, or the caller may not read the repositories of the organization.",
      extensions: LEAVES_WORKSPACE,
      resolve: ({ refChangeId }, _args, { loaders }) =>
        refChangeId === null ? null : loaders.load(refChangeLoader, refChangeId),
    }),
    supersededBy: t.field({
      type: ChangesetRef,
      nullable: true,
      description:
        "The newest changeset whose runs took the place of runs of this one: that of a newer commit of the same ref. `null` if there is none.",
      extensions: LEAVES_WORKSPACE,
      resolve: ({ figures: { supersededById } }, _args, { loaders }) =>
        supersededById === null ? null : loaders.load(changesetLoader, supersededById),
    }),
    appliedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When all that had changes were applied. `null` if they are not, or none had changes.",
      resolve: appliedAtOf,
    }),
    discardedAt: t.expose("discardedAt", {
      type: "DateTime",
      nullable: true,
      description: "When a person discarded it as a whole. `null` if none did.",
    }),
    createdBy: t.field({
      type: ActorRef,
      description: "The actor that caused it.",
      resolve: async ({ createdById }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, createdById), `Actor ${createdById}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
  }),
});

builder.objectField(RunRef, "changeset", (t) =>
  t.field({
    type: ChangesetRef,
    nullable: true,
    description: "The changeset that the run belongs to. `null` if it was requested alone.",
    ...wholeRunField(
      ({ changesetId }, { loaders }) => (changesetId === null ? null : loaders.load(changesetLoader, changesetId)),
      LEAVES_WORKSPACE,
    ),
  }),
);

builder.queryField("changeset", (t) =>
  t.field({
    type: ChangesetRef,
    nullable: true,
    description:
      "The changeset with this id. `null` if it does not exist, or the caller may read the runs of none of its workspaces.",
    args: { id: t.arg.id({ required: true, description: "The id of the changeset." }) },
    resolve: (_root, { id }, { loaders }) => loaders.load(changesetLoader, id),
  }),
);

import { loaderByRun } from "../kit/loader.ts";
import type { BlockerKind } from "../../model/admission/blocker-kind.ts";
import { ESTIMATE_BY_RUNS, ESTIMATE_FROM_RUNS } from "../../model/admission/start-estimate.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { BlockerRef, RunRef, runLoader } from "../kit/refs.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const blockersLoader = loaderByRun((domain, caller, runs) => domain.blockers(caller, runs));

export const BlockerKindEnum = describedEnum<BlockerKind>("BlockerKind", "The kind of a blocker: why a run waits.", {
  WORKSPACE_BUSY: "Another run holds the workspace: wait for `run` to end, or cancel it.",
  WORKSPACE_LOCKED: "The workspace is locked: unlock it, or wait for the lock to end.",
  WORKSPACE_PAUSED: "The workspace is paused: resume it.",
  ORGANIZATION_LIMIT: "The organization has reached its limit of concurrent runs: wait, or raise `concurrencyLimit`.",
  DRIFT_LIMIT:
    "The pool of the workspace runs as many checks for drift as it may at once: wait, or raise `driftCheckLimit` of the pool.",
  UPSTREAM_RUN: "A run that this run depends on has not ended: wait for `run`.",
  NO_RUNNER: "No matching runner is free: wait, or start one. `message` names the pool and the labels that are needed.",
  FREEZE_WINDOW: "A freeze window is open: wait for its end.",
  SCHEDULED_AT: "The scheduled time of the run has not come: wait.",
  CHECK_PENDING: "Policies or external checks judge the run before its plan or its apply: wait, at most until `until`.",
  SOAKING: "The changeset of the stage before has not been applied for long enough: wait until `until`.",
});

BlockerRef.implement({
  description: "One reason why a run waits.",
  fields: (t) => ({
    kind: t.expose("kind", { type: BlockerKindEnum, description: "The kind of the blocker." }),
    message: t.exposeString("message", {
      description:
        "The reason in words, with names and numbers. Figures of the organization take FIGURES_READ there, and its runners and pools RUNNER_READ.",
    }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description:
        "The run to wait for, or whose interrupted apply locked the workspace. `null` if no run is involved, or the caller may not read it.",
      extensions: LEAVES_WORKSPACE,
      resolve: ({ runId }, _args, { loaders }) => (runId === null ? null : loaders.load(runLoader, runId)),
    }),
    since: t.expose("since", { type: "DateTime", description: "When the blocker began." }),
    position: t.exposeInt("position", {
      nullable: true,
      description:
        "The position in the queue, from 1. `null` if there is no queue, or if it is that of the organization and the caller lacks FIGURES_READ there.",
    }),
    until: t.expose("until", {
      type: "DateTime",
      nullable: true,
      description:
        "When the blocker ends on its own: a freeze window closes, a lock expires, the scheduled time comes, or the soak time ends. `null` if the end is not known.",
    }),
    estimatedStartAt: t.expose("estimatedStartAt", {
      type: "DateTime",
      nullable: true,
      description: `When the run is expected to start, from the median of the last ${ESTIMATE_BY_RUNS} runs. \`null\` with fewer than ${ESTIMATE_FROM_RUNS} runs, if a person decides, and where \`position\` is hidden.`,
    }),
  }),
});

import { LIMITS } from "../../model/kit/limits.ts";
import type { Durations, Statistics, StatisticsWindow } from "../../model/run/statistics.ts";
import type { InputIssue } from "../../model/kit/user-error.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { inputError, present } from "../kit/errors.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { RunOutcomeEnum, RunStatusEnum } from "../run/run-enums.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

type Shown = Statistics & StatisticsWindow;

const DurationsRef = builder.objectRef<Durations>("DurationStatistics").implement({
  description: "How long something took.",
  fields: (t) => ({
    count: t.exposeInt("count", { description: "How many were measured." }),
    medianSeconds: t.float({ description: "Half of them took at most so long.", resolve: (d) => d.medianMs / 1000 }),
    p95Seconds: t.float({ description: "95 of 100 took at most so long.", resolve: (d) => d.p95Ms / 1000 }),
    totalSeconds: t.float({ description: "All of them together.", resolve: (d) => d.totalMs / 1000 }),
  }),
});

const RunCountRef = builder.objectRef<Statistics["runs"][number]>("RunCount").implement({
  description: "How many runs ended in one way.",
  fields: (t) => ({
    status: t.expose("status", { type: RunStatusEnum, description: "How they ended." }),
    outcome: t.expose("outcome", {
      type: RunOutcomeEnum,
      nullable: true,
      description: "With FINISHED: what came of them.",
    }),
    count: t.exposeInt("count", { description: "How many." }),
  }),
});

const WorkspaceStatisticsRef = builder.objectRef<Shown>("WorkspaceStatistics").implement({
  description: "Figures over the runs of a workspace that ended within a window. What was never measured is null.",
  fields: (t) => ({
    from: t.expose("from", { type: "DateTime", description: "Where the window begins." }),
    to: t.expose("to", { type: "DateTime", description: "Where it ends; this instant is not in it." }),
    endedRuns: t.exposeInt("endedCount", { description: "How many runs ended." }),
    runs: t.field({
      type: [RunCountRef],
      description: "How many of them in each way that occurred.",
      resolve: ({ runs }) => runs,
    }),
    appliedRuns: t.exposeInt("appliedCount", {
      description: "How many changed something: with the outcome APPLIED or DESTROYED.",
    }),
    appliedRunsPerDay: t.float({
      description: "`appliedRuns` by the length of the window.",
      resolve: ({ appliedCount, from, to }) => (appliedCount * DAY_MS) / (Date.parse(to) - Date.parse(from)),
    }),
    failureRate: t.exposeFloat("failureRate", {
      nullable: true,
      description: "From 0 to 1: the part of the DEPLOY, DESTROY and APPLY runs that ended FAILED or TIMED_OUT.",
    }),
    leadTime: t.field({
      type: DurationsRef,
      nullable: true,
      description: "From the creation of a run to the end of its apply.",
      resolve: (statistics) => statistics.leadTime,
    }),
    waitAtGates: t.field({
      type: DurationsRef,
      nullable: true,
      description: "What each run that came to a gate waited for people there, at both gates together.",
      resolve: (statistics) => statistics.waitAtGates,
    }),
    planDuration: t.field({
      type: DurationsRef,
      nullable: true,
      description: "Each plan that was made.",
      resolve: (statistics) => statistics.planDuration,
    }),
    applyDuration: t.field({
      type: DurationsRef,
      nullable: true,
      description: "Each apply or destroy that went well.",
      resolve: (statistics) => statistics.applyDuration,
    }),
  }),
});

/** Throws INVALID_INPUT where the window is empty, or wider than anybody should count. */
function checkWindow({ from, to }: StatisticsWindow): void {
  const issues: InputIssue[] = [];
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (days <= 0) issues.push({ path: ["to"], message: "Must be later than `from`." });
  if (days > LIMITS.statisticsDays) {
    issues.push({ path: ["from"], message: `Must be at most ${LIMITS.statisticsDays} days before \`to\`.` });
  }
  if (issues.length > 0) throw inputError(issues);
}

builder.objectField(WorkspaceRef, "statistics", (t) =>
  t.field({
    type: WorkspaceStatisticsRef,
    extensions: asksFor("run:read"),
    description: "Figures over the runs that ended within a window.",
    args: {
      from: t.arg({ type: "DateTime", required: true, description: "Where the window begins." }),
      to: t.arg({
        type: "DateTime",
        required: true,
        description: `Where it ends; at most ${LIMITS.statisticsDays} days later.`,
      }),
    },
    resolve: async (workspace, window, { loaders }) => {
      checkWindow(window);
      const key = { workspaceId: workspace.id, from: window.from, to: window.to };
      const statistics = present(await loaders.statistics.load(key), `Statistics of ${workspace.id}`);
      return { ...statistics, from: window.from, to: window.to };
    },
  }),
);

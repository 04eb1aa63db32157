/** The figures of runs that ended within a time window, as workspaces and organizations show them. */
import type { Queries } from "../../domain/domain.ts";
import type { InputIssue } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Durations, Statistics, StatisticsWindow } from "../../model/run/statistics.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { inputError } from "../kit/errors.ts";
import { type Loader, loaderByKey } from "../kit/loader.ts";
import { RunCountRef } from "./run-count.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

type Shown = Statistics & StatisticsWindow;

const DurationsRef = builder.objectRef<Durations>("DurationStatistics").implement({
  description: "Figures of a set of durations.",
  fields: (t) => ({
    count: t.exposeInt("count", { description: "The number of durations." }),
    medianSeconds: t.float({ description: "The median.", resolve: (d) => d.medianMs / 1000 }),
    p95Seconds: t.float({ description: "The 95th percentile.", resolve: (d) => d.p95Ms / 1000 }),
    totalSeconds: t.float({ description: "The sum.", resolve: (d) => d.totalMs / 1000 }),
  }),
});

export const StatisticsRef = builder.objectRef<Shown>("WorkspaceStatistics").implement({
  description: "Figures of runs that ended within a time window. A figure without a measurement is null.",
  fields: (t) => ({
    from: t.expose("from", { type: "DateTime", description: "The beginning of the window." }),
    to: t.expose("to", { type: "DateTime", description: "The end of the window, which is not part of it." }),
    endedRuns: t.exposeInt("endedCount", { description: "The number of runs that ended." }),
    runs: t.field({
      type: [RunCountRef],
      description: "The number of runs for each status and outcome that occurred.",
      resolve: ({ runs }) => runs,
    }),
    appliedRuns: t.exposeInt("appliedCount", {
      description: "The number of runs with the outcome APPLIED or DESTROYED.",
    }),
    appliedRunsPerDay: t.float({
      description: "The average of `appliedRuns` per day of the window.",
      resolve: ({ appliedCount, from, to }) => (appliedCount * DAY_MS) / (Date.parse(to) - Date.parse(from)),
    }),
    failureRate: t.exposeFloat("failureRate", {
      nullable: true,
      description: "The share of DEPLOY, DESTROY and APPLY runs that ended FAILED or TIMED_OUT, from 0 to 1.",
    }),
    leadTime: t.field({
      type: DurationsRef,
      nullable: true,
      description: "The time from the creation of a run to the end of its apply.",
      resolve: (statistics) => statistics.leadTime,
    }),
    waitAtGates: t.field({
      type: DurationsRef,
      nullable: true,
      description: "The time that each run waited for people, at both gates together.",
      resolve: (statistics) => statistics.waitAtGates,
    }),
    planDuration: t.field({
      type: DurationsRef,
      nullable: true,
      description: "The duration of each plan.",
      resolve: (statistics) => statistics.planDuration,
    }),
    applyDuration: t.field({
      type: DurationsRef,
      nullable: true,
      description: "The duration of each successful apply or destroy.",
      resolve: (statistics) => statistics.applyDuration,
    }),
  }),
});

/** Throws INVALID_INPUT if the window is empty or has more than so many days. */
function checkWindow({ from, to }: StatisticsWindow, mostDays: number): void {
  const issues: InputIssue[] = [];
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (days <= 0) issues.push({ path: ["to"], message: "Must be later than `from`." });
  if (days > mostDays) {
    issues.push({ path: ["from"], message: `Must be at most ${mostDays} days before \`to\`.` });
  }
  if (issues.length > 0) throw inputError(issues);
}

/** Reads the statistics of a window: an entry for each id, in order. */
type ReadStatistics = (
  domain: Queries,
  caller: ActorCaller,
  ids: readonly string[],
  window: StatisticsWindow,
) => Promise<(Statistics | null)[]>;

/** Gives the arguments and the resolver of a field with the statistics of a window of at most so many days. */
export function windowOfStatistics(read: ReadStatistics, mostDays: number) {
  const loader = statisticsLoaderOf(read);
  return {
    args: builder.args((t) => ({
      from: t.field({ type: "DateTime", required: true, description: "The beginning of the window." }),
      to: t.field({
        type: "DateTime",
        required: true,
        description: `The end of the window, at most ${mostDays} days later.`,
      }),
    })),
    resolve: async ({ id }: { id: string }, { from, to }: StatisticsWindow, { loaders }: GraphqlContext) => {
      checkWindow({ from, to }, mostDays);
      const statistics = await loaders.load(loader, { id, from, to });
      return statistics && { ...statistics, from, to };
    },
  };
}

/** A window of a workspace or an organization. */
type StatisticsKey = StatisticsWindow & { id: string };

/** Declares a loader of statistics; keys with one window share a read. */
function statisticsLoaderOf(read: ReadStatistics): Loader<StatisticsKey, Statistics | null> {
  const load = async (domain: Queries, caller: ActorCaller, keys: readonly StatisticsKey[]) => {
    const found = new Map<StatisticsKey, Statistics | null>();
    for (const [, group] of Map.groupBy(keys, ({ from, to }) => `${from} ${to}`)) {
      const [window] = group;
      if (window === undefined) continue;
      const ids = group.map(({ id }) => id);
      const statistics = await read(domain, caller, ids, window);
      for (const [index, key] of group.entries()) found.set(key, statistics[index] ?? null);
    }
    return keys.map((key) => found.get(key) ?? null);
  };
  return loaderByKey(load, ({ id, from, to }) => `${id} ${from} ${to}`);
}

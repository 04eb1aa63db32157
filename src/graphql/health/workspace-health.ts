/** The runtime health of workspaces, and its history. */
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import type { HealthBucket } from "../../model/health/history.ts";
import { builder } from "../kit/builder.ts";
import { inputError } from "../kit/errors.ts";
import { loaderOf, loaderOfFew } from "../kit/loader.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { RuntimeHealthEnum } from "./runtime-health.ts";

const healthLoader = loaderOf((domain, caller, ids) => domain.workspaceHealths(caller, ids));

/** A history that is asked for. */
interface HistoryKey {
  workspaceId: string;
  probe: string;
  from: string;
  to: string;
}

const { historiesPerRequest: most, historyBuckets } = HEALTH_LIMITS;
const historyLoader = loaderOfFew(
  (domain, caller, { workspaceId, ...asked }: HistoryKey) => domain.healthHistory(caller, workspaceId, asked),
  (key) => JSON.stringify(key),
  { most, path: "healthHistory", message: `At most ${most} histories are read by one request.` },
);

const HealthBucketRef = builder.objectRef<HealthBucket>("HealthBucket").implement({
  description: "The samples of a stretch of time. Those of several targets of a probe are added up.",
  fields: (t) => ({
    from: t.expose("from", { type: "DateTime", description: "Its beginning." }),
    seconds: t.exposeInt("seconds", { description: "Its length: 300, 3600 or 86400." }),
    samples: t.exposeInt("samples", { description: "The number of samples." }),
    bad: t.exposeInt("bad", { description: "How many of them were not good." }),
    held: t.exposeInt("held", {
      description: "How many of them were taken while a run changed the workspace. They are not bad.",
    }),
    medianMs: t.exposeInt("medianMs", {
      nullable: true,
      description:
        "The median time of an answer; of hours and days that of the medians. `null` if there was no answer.",
    }),
    maxMs: t.exposeInt("maxMs", {
      nullable: true,
      description: "The longest time of an answer. `null` if there was none.",
    }),
  }),
});

builder.objectField(WorkspaceRef, "runtimeHealth", (t) =>
  t.field({
    type: RuntimeHealthEnum,
    description: "Whether what was applied works, by the probes that are sent all the time.",
    resolve: async ({ id }, _args, { loaders }) => (await loaders.load(healthLoader, id)).health,
  }),
);

builder.objectField(WorkspaceRef, "healthSince", (t) =>
  t.field({
    type: "DateTime",
    nullable: true,
    description: "When `runtimeHealth` last changed. `null` if it was never known.",
    resolve: async ({ id }, _args, { loaders }) => (await loaders.load(healthLoader, id)).since,
  }),
);

builder.objectField(WorkspaceRef, "healthReason", (t) =>
  t.string({
    nullable: true,
    description: "Why `runtimeHealth` is not HEALTHY: the probe that decides. `null` if it is HEALTHY.",
    resolve: async ({ id }, _args, { loaders }) => (await loaders.load(healthLoader, id)).reason,
  }),
);

builder.objectField(WorkspaceRef, "healthHistory", (t) =>
  t.field({
    type: [HealthBucketRef],
    description: `The samples of a probe, oldest first, at most ${historyBuckets} buckets: of five minutes in the last 48 hours, of an hour in the last 30 days, else of a day. Hours and days are there about an hour after their end.`,
    args: {
      probe: t.arg.string({ required: true, description: "The name of the probe." }),
      from: t.arg({ type: "DateTime", required: true, description: "Buckets begin at this time or later." }),
      to: t.arg({
        type: "DateTime",
        required: true,
        description: `Buckets begin before this time, which is at most ${historyBuckets} days later.`,
      }),
    },
    resolve: async ({ id }, asked, { loaders }) => {
      const { probe, from, to } = asked;
      const { buckets, problem } = await loaders.load(historyLoader, { workspaceId: id, probe, from, to });
      if (problem !== null) throw inputError([{ path: [problem.field], message: problem.message }]);
      return [...buckets];
    },
  }),
);

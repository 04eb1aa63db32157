import type { OrganizationActivity } from "../../model/run/organization-activity.ts";
import { ESTIMATE_BY_RUNS, ESTIMATE_FROM_RUNS } from "../../model/admission/start-estimate.ts";
import { builder } from "../kit/builder.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { OrganizationRef, RunRef, runLoader } from "../kit/refs.ts";
import { RunCountRef } from "../run/run-count.ts";

const activityLoader = loaderOf((domain, caller, ids) => domain.activities(caller, ids));

const WITHOUT_FIGURES = "`null` without the permission FIGURES_READ on the organization.";

const OrganizationActivityRef = builder
  .objectRef<OrganizationActivity & { limit: number }>("OrganizationActivity")
  .implement({
    description:
      "The runs of an organization that have not ended, and its places, each of which takes one run at a runner.",
    fields: (t) => ({
      counts: t.field({
        type: [RunCountRef],
        description:
          "The number of runs that the caller may read, for each status that is not terminal and that a run has.",
        resolve: ({ counts }) => counts.map((one) => ({ ...one, outcome: null })),
      }),
      oldestAtGate: t.field({
        type: RunRef,
        nullable: true,
        description:
          "The run that has waited at its gate for the longest time, of those that the caller may read. `null` if none waits at a gate.",
        resolve: ({ oldestAtGateId }, _args, { loaders }) =>
          oldestAtGateId === null ? null : loaders.load(runLoader, oldestAtGateId),
      }),
      places: t.exposeInt("limit", {
        description: "The number of runs that may occupy a runner at once: `concurrencyLimit` of the organization.",
      }),
      busyPlaces: t.int({
        nullable: true,
        description: `The number of places that are taken: by runs at a runner, and by those that are offered to the runners. It is more than \`places\` while a lowered limit is exceeded. ${WITHOUT_FIGURES}`,
        resolve: ({ places }) => places?.busy ?? null,
      }),
      queueLength: t.int({
        nullable: true,
        description: `The number of runs that only lack a place, or a runner that may take them. Runs that wait for another run of their workspace are not among them. ${WITHOUT_FIGURES}`,
        resolve: ({ places }) => places?.queueLength ?? null,
      }),
      nextPlaceAt: t.field({
        type: "DateTime",
        nullable: true,
        description: `When a place is expected to be free, from the median of the last ${ESTIMATE_BY_RUNS} jobs of runners. \`null\` if a place is free, if no run is at a runner, with fewer than ${ESTIMATE_FROM_RUNS} jobs, and without the permission FIGURES_READ on the organization.`,
        resolve: ({ places }) => places?.nextFreeAt ?? null,
      }),
    }),
  });

builder.objectField(OrganizationRef, "activity", (t) =>
  t.field({
    type: OrganizationActivityRef,
    extensions: requiredPermissions("RUN_READ", "FIGURES_READ"),
    description: "The live runs of the organization and its places, at this time.",
    resolve: async ({ id, concurrencyLimit }, _args, { loaders }) => ({
      ...(await loaders.load(activityLoader, id)),
      limit: concurrencyLimit,
    }),
  }),
);

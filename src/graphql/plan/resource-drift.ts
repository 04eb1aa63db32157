import { LIMITS } from "../../model/kit/limits.ts";
import type { DriftAction, ResourceDrift } from "../../model/plan/resource-drift.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { numberPosition } from "../kit/cursor.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { PlanRef } from "../kit/refs.ts";

export const DriftActionEnum = describedEnum<DriftAction>("DriftAction", "A change of a resource that no run made.", {
  UPDATE: "It was changed.",
  DELETE: "It is gone.",
});

const ResourceDriftRef = builder.objectRef<ResourceDrift>("ResourceDrift").implement({
  description: "A resource that something else changed since the last apply.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The address in the configuration, including modules." }),
    type: t.exposeString("type", { description: "The type of the resource, as its provider names it." }),
    action: t.expose("action", { type: DriftActionEnum, description: "The change." }),
    paths: t.exposeStringList("paths", {
      description: "The attributes that differ, such as `tags.Name`. Empty for the whole resource.",
    }),
    relevant: t.exposeBoolean("relevant", {
      description: "Whether the configuration depends on what differs, as the engine reports.",
    }),
    before: t.expose("before", {
      type: "JSON",
      nullable: true,
      description: "As the state has it. Sensitive values are null and listed in `sensitivePaths`.",
    }),
    after: t.expose("after", {
      type: "JSON",
      nullable: true,
      description: "As the plan found it. `null` if it is gone.",
    }),
    sensitivePaths: t.exposeStringList("sensitivePaths", {
      description: "The paths of hidden values; the empty string is the whole object.",
    }),
  }),
});

type Listed = ResourceDrift & { position: number };
const EdgeRef = edgeRef<Listed>("ResourceDrift", "resource");
const ConnectionRef = connectionRef<Listed>("ResourceDrift", "A page of the drift of a plan.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: ResourceDriftRef, description: "The resource.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The resources.", resolve: (connection) => connection.edges }),
);

builder.objectField(PlanRef, "drift", (t) =>
  t.field({
    type: ConnectionRef,
    description:
      "Changes since the last apply that no run made, as the engine found them, in its order. Not all of them lead to a change of the plan.",
    args: pageArgs(LIMITS.pageSize),
    resolve: async ({ id }, args, { caller, domain }) => {
      const name = `drift of ${id}`;
      const request = toPageRequest(args, { name, position: numberPosition });
      return toConnection(name, await domain.listResourceDrift(caller, id, request), ({ position }) => position);
    },
  }),
);

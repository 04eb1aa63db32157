import { LIMITS } from "../../model/kit/limits.ts";
import type { Plan, ResourceAction, ResourceChange } from "../../model/plan/plan.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { numberPosition } from "../kit/cursor.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { PlanRef } from "../kit/refs.ts";

export const ResourceActionEnum = describedEnum<ResourceAction>("ResourceAction", "What a plan does to an object.", {
  CREATE: "It is created.",
  UPDATE: "It is changed in place.",
  REPLACE: "It is destroyed, and another one created.",
  DELETE: "It is destroyed.",
  READ: "It is a data source that is read during the apply.",
  FORGET: "It leaves the state and goes on to exist.",
  NO_OP: "The object stays as it is; listed because it is moved or imported.",
});

const ResourceChangeRef = builder.objectRef<ResourceChange>("ResourceChange").implement({
  description: "One resource that a plan changes.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "Where it stands in the configuration, modules included." }),
    type: t.exposeString("type", { description: "The type of the resource, as its provider names it." }),
    name: t.exposeString("name", { description: "The name of the resource within its module." }),
    module: t.exposeString("module", {
      nullable: true,
      description: "The address of its module; null in the root module.",
    }),
    action: t.expose("action", {
      type: ResourceActionEnum,
      description:
        "What happens to the object. Importing and moving are orthogonal: see `imported` and `previousAddress`.",
    }),
    createBeforeDestroy: t.exposeBoolean("createBeforeDestroy", {
      nullable: true,
      description: "With REPLACE: whether the new one is made before the old one goes.",
    }),
    previousAddress: t.exposeString("previousAddress", {
      nullable: true,
      description: "Where it stood before, if it is moved.",
    }),
    imported: t.exposeBoolean("imported", { description: "Whether an existing object is taken into the state." }),
    before: t.expose("before", {
      type: "JSON",
      nullable: true,
      description: "The object as it is. Sensitive values are null and named in `sensitivePaths`.",
    }),
    after: t.expose("after", {
      type: "JSON",
      nullable: true,
      description:
        "The object as it will be. Sensitive values are null and named in `sensitivePaths`; values known after apply are null and named in `unknownPaths`.",
    }),
    sensitivePaths: t.exposeStringList("sensitivePaths", {
      description: "Where values are hidden, as `tags.Name` or `disks[0].key`; the empty string is the whole object.",
    }),
    unknownPaths: t.exposeStringList("unknownPaths", {
      description: "Where values are known after the apply only; written as in `sensitivePaths`.",
    }),
  }),
});

type Listed = ResourceChange & { position: number };
const EdgeRef = edgeRef<Listed>("ResourceChange", "resource change");
const ConnectionRef = connectionRef<Listed>(
  "ResourceChange",
  "A page of what a plan changes; destructions come first.",
);
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: ResourceChangeRef, description: "The change.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The changes.", resolve: (connection) => connection.edges }),
);

async function readChanges(
  { caller, domain }: GraphqlContext,
  plan: Plan,
  args: PageArguments & { actions?: ResourceAction[] | null | undefined },
): Promise<Connection<Listed>> {
  const name = `resource changes of ${plan.id}`;
  const request = toPageRequest(args, { name, position: numberPosition });
  const page = await domain.listResourceChanges(caller, plan.id, args.actions ?? null, request);
  return toConnection(name, page, (change) => change.position);
}

builder.objectField(PlanRef, "resourceChanges", (t) =>
  t.field({
    type: ConnectionRef,
    description:
      "What changes; a resource that stays as it is (no move, no import) is not listed. Destructions come first.",
    args: {
      ...pageArgs(LIMITS.pageSize),
      actions: t.arg({
        type: [ResourceActionEnum],
        description: "Only changes with one of these actions; an empty list matches nothing.",
      }),
    },
    resolve: (plan, args, context) => readChanges(context, plan, args),
  }),
);

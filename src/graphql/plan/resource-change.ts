import { LIMITS } from "../../model/kit/limits.ts";
import type { Plan, ResourceAction, ResourceChange } from "../../model/plan/plan.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { numberPosition } from "../kit/cursor.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { PlanRef } from "../kit/refs.ts";

export const ResourceActionEnum = describedEnum<ResourceAction>(
  "ResourceAction",
  "The action of a plan on an object.",
  {
    CREATE: "The object is created.",
    UPDATE: "The object is changed in place.",
    REPLACE: "The object is destroyed and created again.",
    DELETE: "The object is destroyed.",
    READ: "The data source is read during the apply.",
    FORGET: "The object is removed from the state and not destroyed.",
    NO_OP: "The object does not change. It is listed because it is moved or imported.",
  },
);

const ResourceChangeRef = builder.objectRef<ResourceChange>("ResourceChange").implement({
  description: "One resource that a plan changes.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The address in the configuration, including modules." }),
    type: t.exposeString("type", { description: "The type of the resource, as its provider names it." }),
    name: t.exposeString("name", { description: "The name of the resource within its module." }),
    module: t.exposeString("module", {
      nullable: true,
      description: "The address of the module. `null` in the root module.",
    }),
    action: t.expose("action", {
      type: ResourceActionEnum,
      description: "The action on the object. It may be imported (`imported`) or moved (`previousAddress`) as well.",
    }),
    createBeforeDestroy: t.exposeBoolean("createBeforeDestroy", {
      nullable: true,
      description: "Whether a REPLACE creates the new object before it destroys the old one.",
    }),
    previousAddress: t.exposeString("previousAddress", {
      nullable: true,
      description: "The address before a move. `null` if the object is not moved.",
    }),
    imported: t.exposeBoolean("imported", { description: "Whether an existing object is imported into the state." }),
    before: t.expose("before", {
      type: "JSON",
      nullable: true,
      description:
        "The object before the apply. Sensitive values are null and listed in `sensitivePaths`. `null` if the object does not exist.",
    }),
    after: t.expose("after", {
      type: "JSON",
      nullable: true,
      description:
        "The object after the apply. Sensitive values are null and listed in `sensitivePaths`; values known only after the apply are null and listed in `unknownPaths`. `null` if the object is destroyed.",
    }),
    sensitivePaths: t.exposeStringList("sensitivePaths", {
      description:
        "The paths of hidden values, such as `tags.Name` or `disks[0].key`; the empty string is the whole object.",
    }),
    unknownPaths: t.exposeStringList("unknownPaths", {
      description: "The paths of values that are known only after the apply, in the format of `sensitivePaths`.",
    }),
  }),
});

type Listed = ResourceChange & { position: number };
const EdgeRef = edgeRef<Listed>("ResourceChange", "resource change");
const ConnectionRef = connectionRef<Listed>("ResourceChange", "A page of the changes of a plan, destructions first.");
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
      "The changes of resources, destructions first. A resource without a change, a move or an import is not listed.",
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

import { LIMITS } from "../../model/kit/limits.ts";
import type { InputIssue } from "../../model/kit/user-error.ts";
import { type ChangeFilter, FILTERED_ADDRESSES } from "../../model/plan/change-filter.ts";
import type { ChangeReason } from "../../model/plan/change-reason.ts";
import {
  CHANGE_DEPENDENCIES,
  type Plan,
  REPLACE_PATHS,
  type ResourceAction,
  type ResourceChange,
} from "../../model/plan/plan.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { numberPosition } from "../kit/cursor.ts";
import { inputError } from "../kit/errors.ts";
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

const ChangeReasonEnum = describedEnum<ChangeReason>(
  "ChangeReason",
  "Why a plan changes a resource, as the engine states it.",
  {
    REPLACE_TAINTED: "The object is tainted: an earlier apply created it and did not complete it.",
    REPLACE_BY_REQUEST: "The run was asked to replace it (`replace`).",
    REPLACE_CANNOT_UPDATE: "The provider cannot change an attribute in place: `replacePaths` lists which.",
    REPLACE_BY_TRIGGERS: "An object that `replace_triggered_by` names changes.",
    DELETE_NO_CONFIG: "The configuration has no such resource any more.",
    DELETE_COUNT_INDEX: "The index is not below `count` any more.",
    DELETE_EACH_KEY: "The key is not in `for_each` any more.",
    DELETE_NO_MODULE: "The configuration has no such instance of the module any more.",
    READ_UNKNOWN: "The data source is read during the apply: its arguments are known only then.",
    READ_DEPENDENCY: "The data source is read during the apply: something that it depends on changes first.",
    OTHER: "The engine states a reason that is none of these.",
  },
);

type Listed = ResourceChange & { position: number; digest: string };

const ResourceChangeRef = builder.objectRef<Listed>("ResourceChange").implement({
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
    digest: t.exposeString("digest", {
      description:
        "An opaque digest of what a person sees: address, action, reason and values. Equal digests are equal changes, also in another plan. Hidden values are no part of it.",
    }),
    replacePaths: t.exposeStringList("replacePaths", {
      description: `The attributes that make it a REPLACE, in the format of \`sensitivePaths\`, at most ${REPLACE_PATHS}. Empty for other actions and reasons.`,
    }),
    dependsOn: t.exposeStringList("dependsOn", {
      description: `The resources that it depends on directly, by the expressions and \`depends_on\` of its configuration: addresses without keys of instances, at most ${CHANGE_DEPENDENCIES}. For an output of a module it is the address of the module. Empty for what the configuration does not have, and in a plan that was stored without them.`,
    }),
    reason: t.expose("reason", {
      type: ChangeReasonEnum,
      nullable: true,
      description: "Why it is changed, if the engine states more than that the configuration differs.",
    }),
    provider: t.exposeString("provider", {
      nullable: true,
      description:
        "The source address of the provider, such as registry.terraform.io/hashicorp/aws. `null` in a plan that was stored without it.",
    }),
    index: t.exposeString("index", {
      nullable: true,
      description: "The key of the instance, from `count` or `for_each`. `null` for a resource without instances.",
    }),
    deposed: t.exposeString("deposed", {
      nullable: true,
      description:
        "The key of an object that an earlier REPLACE created a successor for and did not destroy. `null` for the current object.",
    }),
    importId: t.exposeString("importId", {
      nullable: true,
      description: "The id by which an existing object is imported. `null` if none is, or by something else.",
    }),
  }),
});

const EdgeRef = edgeRef<Listed>("ResourceChange", "resource change");
type Listing = Connection<Listed> & { totalCount: () => Promise<number> };
const ConnectionRef = connectionRef<Listed, Listing>(
  "ResourceChange",
  "A page of the changes of a plan, destructions first.",
);
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: ResourceChangeRef, description: "The change.", resolve: (edge) => edge.node }),
);
builder.objectFields(ConnectionRef, (t) => ({
  edges: t.field({ type: [EdgeRef], description: "The changes.", resolve: (connection) => connection.edges }),
  totalCount: t.int({
    description: "The number of changes in the whole list, counted only if it is selected.",
    resolve: (connection) => connection.totalCount(),
  }),
}));

type FilterArguments = { [Part in keyof ChangeFilter]?: ChangeFilter[Part] | undefined };

/** Checks the parts of a filter. Throws INVALID_INPUT for those that are too long. */
const isPartOfAddress = (text: string): boolean =>
  text.length <= LIMITS.addressLength && !text.includes("\0") && text.isWellFormed();

function toChangeFilter({ actions, addresses, module, type, search }: FilterArguments): ChangeFilter {
  const issues: InputIssue[] = [];
  const check = (path: string, texts: readonly (string | null | undefined)[]): void => {
    if (texts.every((text) => isPartOfAddress(text ?? ""))) return;
    const message = `Must have at most ${LIMITS.addressLength} characters, without U+0000 and halves of surrogate pairs.`;
    issues.push({ path: [path], message });
  };
  if ((addresses?.length ?? 0) > FILTERED_ADDRESSES) {
    issues.push({ path: ["addresses"], message: `Give at most ${FILTERED_ADDRESSES} addresses.` });
  }
  check("addresses", addresses ?? []);
  for (const [name, text] of Object.entries({ module, type, search })) check(name, [text]);
  if (issues.length > 0) throw inputError(issues);
  return {
    actions: actions ?? null,
    addresses: addresses ?? null,
    module: module ?? null,
    type: type ?? null,
    search: search ?? null,
  };
}

async function readChanges(
  { caller, domain }: GraphqlContext,
  plan: Plan,
  args: PageArguments & FilterArguments,
): Promise<Listing> {
  const name = `resource changes of ${plan.id}`;
  const filter = toChangeFilter(args);
  const request = toPageRequest(args, { name, position: numberPosition });
  const page = await domain.listResourceChanges(caller, plan.id, filter, request);
  const connection = toConnection(name, page, (change) => change.position);
  return { ...connection, totalCount: () => domain.countResourceChanges(caller, plan.id, filter) };
}

builder.objectField(PlanRef, "resourceChanges", (t) =>
  t.field({
    type: ConnectionRef,
    description:
      "The changes of resources, destructions first. A resource without a change, a move or an import is not listed. Arguments that select are joined by AND.",
    args: {
      ...pageArgs(LIMITS.pageSize),
      actions: t.arg({
        type: [ResourceActionEnum],
        description: "Only changes with one of these actions; an empty list matches nothing.",
      }),
      addresses: t.arg.stringList({
        description: `Only changes of these addresses, at most ${FILTERED_ADDRESSES}; an empty list matches nothing.`,
      }),
      module: t.arg.string({
        description:
          "Only changes in the module of this address, in its instances, and in modules below it. An empty text is the root module alone.",
      }),
      type: t.arg.string({ description: "Only changes of resources of this type." }),
      search: t.arg.string({ description: "Only changes whose address has this part, in upper or lower case." }),
    },
    resolve: (plan, args, context) => readChanges(context, plan, args),
  }),
);

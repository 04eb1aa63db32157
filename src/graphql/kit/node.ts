import { type IdKind, idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import { inputError } from "./errors.ts";
import { listCost } from "./list-cost.ts";
import type { Loader } from "./loader.ts";

/** The type of the objects of a kind, and the loader that finds them. */
interface NodeType {
  name: string;
  loader: Loader<string, { id: string } | null>;
}

const NODE_TYPES = new Map<IdKind, NodeType>();

/** Makes the objects of a kind reachable by their ids. The file of a type that implements `Node` calls it. */
export function addNode(kind: IdKind, name: string, loader: NodeType["loader"]): void {
  NODE_TYPES.set(kind, { name, loader });
}

function nodeType(id: string): NodeType | null {
  const kind = idKind(id);
  return (kind === null ? null : NODE_TYPES.get(kind)) ?? null;
}

export const NodeRef = builder.interfaceRef<{ id: string }>("Node").implement({
  description: "An object with an id.",
  resolveType: ({ id }) => nodeType(id)?.name,
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id, unique over all types and never reused. Its prefix shows the type." }),
  }),
});

/** Reads the object with an id. `null` if it does not exist, or the caller may not read it. */
export async function loadNode({ loaders }: GraphqlContext, id: string): Promise<{ id: string } | null> {
  const type = nodeType(id);
  return type === null ? null : loaders.load(type.loader, id);
}

builder.queryField("node", (t) =>
  t.field({
    type: NodeRef,
    nullable: true,
    description: "The object with this id. `null` if it does not exist, or the caller may not read it.",
    args: { id: t.arg.id({ required: true, description: "The id of any node." }) },
    resolve: (_root, { id }, context) => loadNode(context, id),
  }),
);

builder.queryField("nodes", (t) =>
  t.field({
    type: [NodeRef],
    nullable: { list: false, items: true },
    description: `The objects with these ids, in their order; at most ${LIMITS.nodesPerRequest}. An entry is null if the object does not exist, or the caller may not read it.`,
    args: {
      ids: t.arg.idList({
        required: true,
        extensions: listCost({ max: LIMITS.nodesPerRequest, size: LIMITS.nodesPerRequest, perPoint: 1 }),
        description: "The ids of any nodes.",
      }),
    },
    resolve: (_root, { ids }, context) => {
      if (ids.length > LIMITS.nodesPerRequest) {
        throw inputError([{ path: ["ids"], message: `Give at most ${LIMITS.nodesPerRequest} ids.` }]);
      }
      return ids.map((id) => loadNode(context, id));
    },
  }),
);

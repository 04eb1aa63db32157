import { type IdKind, idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import { inputError } from "./errors.ts";

/** The GraphQL type of each kind of id. A kind without an entry is not part of the graph. */
const TYPE_OF_KIND = {
  organization: "Organization",
  workspace: "Workspace",
  run: "Run",
  plan: "Plan",
  phase: "Phase",
  approval: "Approval",
  comment: "RunComment",
  token: "Token",
  stateVersion: "StateVersion",
  recoveredState: "RecoveredState",
  bulkOperation: "BulkOperation",
  webhook: "Webhook",
  webhookDelivery: "WebhookDelivery",
  user: "User",
  machineUser: "MachineUser",
  systemActor: "SystemActor",
  runner: "Runner",
  runnerPool: "RunnerPool",
  runnerToken: "RunnerToken",
} as const satisfies Partial<Record<IdKind, string>>;
type NodeKind = keyof typeof TYPE_OF_KIND;

function nodeKind(id: string): NodeKind | null {
  const kind = idKind(id);
  return kind !== null && isNodeKind(kind) ? kind : null;
}

function isNodeKind(kind: IdKind): kind is NodeKind {
  return kind in TYPE_OF_KIND;
}

export const NodeRef = builder.interfaceRef<{ id: string }>("Node").implement({
  description: "An object with an id.",
  resolveType: ({ id }) => {
    const kind = nodeKind(id);
    return kind === null ? null : TYPE_OF_KIND[kind];
  },
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id, unique over all types and never reused. Its prefix shows the type." }),
  }),
});

/** Reads the object with an id. `null` if it does not exist, or the caller may not read it. */
export async function loadNode({ loaders }: GraphqlContext, id: string): Promise<{ id: string } | null> {
  const kind = nodeKind(id);
  if (kind === null) return null;
  const isActor = kind === "user" || kind === "machineUser" || kind === "systemActor";
  return isActor ? loaders.actor.load(id) : loaders[kind].load(id);
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
    args: { ids: t.arg.idList({ required: true, description: "The ids of any nodes." }) },
    resolve: (_root, { ids }, context) => {
      if (ids.length > LIMITS.nodesPerRequest) {
        throw inputError([{ path: ["ids"], message: `Give at most ${LIMITS.nodesPerRequest} ids.` }]);
      }
      return ids.map((id) => loadNode(context, id));
    },
  }),
);

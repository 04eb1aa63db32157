/** The refused commands of a run, a workspace and an organization. */
import type { RejectedCommand, RejectionsOf } from "../../model/people/rejected-command.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { inEpoch } from "../kit/cursor.ts";
import { present } from "../kit/errors.ts";
import { loadNode, NodeRef } from "../kit/node.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import { OrganizationRef, RunRef, WorkspaceRef } from "../kit/refs.ts";
import { sealedNumbers } from "../kit/sealed-number.ts";
import { ActorRef, actorLoader } from "./actor.ts";

const RejectedCommandRef = builder.objectRef<RejectedCommand>("RejectedCommand").implement({
  description: "A refused command of a person or a machine user. It changed nothing.",
  fields: (t) => ({
    at: t.expose("at", { type: "DateTime", description: "When the command was refused." }),
    actor: t.field({
      type: ActorRef,
      description: "The actor of the token that sent the command.",
      resolve: async ({ actorId }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, actorId), `Actor ${actorId}`),
    }),
    credentialId: t.exposeID("credentialId", {
      nullable: true,
      description: "The id of the token or the session that sent the command. `null` if it was not recorded.",
    }),
    command: t.exposeString("command", { description: "The name of the mutation, such as `approveRun`." }),
    subjectId: t.exposeID("subjectId", {
      nullable: true,
      description: "The id of the object of the command, as it was sent. `null` if the command names none.",
    }),
    subject: t.field({
      type: NodeRef,
      nullable: true,
      description: "The object of the command. `null` if there is none, or the caller may not read it.",
      resolve: ({ subjectId }, _args, context) => (subjectId === null ? null : loadNode(context, subjectId)),
    }),
    code: t.exposeString("code", { description: "The code of the error, such as `RUN_STATE_CONFLICT`." }),
    message: t.exposeString("message", { description: "The message of the error." }),
  }),
});

const EdgeRef = edgeRef<RejectedCommand>("RejectedCommand", "rejected command");
const ConnectionRef = connectionRef<RejectedCommand>(
  "RejectedCommand",
  "A page of rejected commands, newest first, without those on objects that the caller may not read.",
);
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: RejectedCommandRef, description: "The command.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The commands.", resolve: ({ edges }) => edges }),
);

async function readRejected(
  context: GraphqlContext,
  of: RejectionsOf,
  id: string,
  args: PageArguments,
): Promise<Connection<RejectedCommand>> {
  const { caller, domain } = context;
  const name = inEpoch(context, `rejected commands of ${id}`);
  // The numbers count the refusals of the whole installation.
  const positions = sealedNumbers(context.cursorKeyOf, name);
  const request = toPageRequest(args, { name, position: positions.read });
  const page = await domain.listRejectedCommands(caller, of, request);
  return toConnection(name, page, (command) => positions.seal(command.id));
}

builder.objectField(RunRef, "rejectedCommands", (t) =>
  t.field({
    type: ConnectionRef,
    description: "The refused commands on this run, newest first.",
    args: pageArgs(),
    resolve: ({ id }, args, context) => readRejected(context, { runId: id }, id, args),
  }),
);

builder.objectField(WorkspaceRef, "rejectedCommands", (t) =>
  t.field({
    type: ConnectionRef,
    extensions: requiredPermissions("RUN_READ", "WEBHOOK_WRITE"),
    description: "The refused commands on this workspace, its runs and its webhooks, newest first.",
    args: pageArgs(),
    resolve: ({ id }, args, context) => readRejected(context, { workspaceId: id }, id, args),
  }),
);

builder.objectField(OrganizationRef, "rejectedCommands", (t) =>
  t.field({
    type: ConnectionRef,
    extensions: requiredPermissions("WORKSPACE_READ", "RUN_READ", "RUNNER_READ", "WEBHOOK_WRITE"),
    description: "The refused commands on this organization and everything in it, newest first.",
    args: pageArgs(),
    resolve: ({ id }, args, context) => readRejected(context, { organizationId: id }, id, args),
  }),
);

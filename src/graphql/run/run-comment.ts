/** The comments of people on a run, which decide nothing. */
import { loaderById } from "../kit/loader.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { RunSummary } from "../../model/run/run.ts";
import type { RunComment } from "../../model/run/run-comment.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { mutation } from "../kit/mutation.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { present } from "../kit/errors.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { RunCommentRef, RunRef } from "../kit/refs.ts";

const commentLoader = loaderById(["comment"], (domain, caller, ids) => domain.runComments(caller, ids));

addNode("comment", "RunComment", commentLoader);
RunCommentRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description: "A person's comment on a run. It decides nothing and never changes.",
  interfaces: [NodeRef],
  fields: (t) => ({
    actor: t.field({
      type: ActorRef,
      description: "The author.",
      resolve: async ({ actorId }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, actorId), `Actor ${actorId}`),
    }),
    text: t.exposeString("text", { description: "The text as it was written. It is not masked." }),
    at: t.expose("at", { type: "DateTime", description: "When the comment was written." }),
  }),
});

const EdgeRef = edgeRef<RunComment>("RunComment", "comment");
const ConnectionRef = connectionRef<RunComment>("RunComment", "A page of the comments on a run, oldest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: RunCommentRef, description: "The comment.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The comments.", resolve: (connection) => connection.edges }),
);

async function readComments(
  { caller, domain }: GraphqlContext,
  run: RunSummary,
  args: PageArguments,
): Promise<Connection<RunComment>> {
  const name = `comments on ${run.id}`;
  const page = await domain.listRunComments(caller, run.id, toPageRequest(args, { name, position: namePosition }));
  return toConnection(name, page, (comment) => comment.id);
}

builder.objectField(RunRef, "comments", (t) =>
  t.field({
    type: ConnectionRef,
    description: "The comments on the run, oldest first.",
    args: pageArgs(),
    resolve: (run, args, context) => readComments(context, run, args),
  }),
);

mutation("commentOnRun", {
  description:
    "Adds a comment to a run, live or ended. The streams of a live run send a RunChanged that names `comments`; the streams of an ended run have completed.",
  argument: "The comment.",
  input: {
    description: "A comment on a run.",
    fields: (t) => ({
      runId: t.id({ required: true, description: "The run, live or ended." }),
      text: t.string({
        required: true,
        description: `The text of the comment: 1 to ${LIMITS.textLength} characters.`,
      }),
    }),
  },
  success: {
    description: "The comment was added.",
    fields: (t) => ({
      run: t.field({ type: RunRef, description: "The run as it is now.", resolve: ({ value }) => value.run }),
      comment: t.field({ type: RunCommentRef, description: "The comment.", resolve: ({ value }) => value.comment }),
    }),
  },
  run: ({ commentOnRun }, caller, { input }) => commentOnRun(caller, input),
});

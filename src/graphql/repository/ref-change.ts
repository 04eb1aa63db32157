import type { FoundBy } from "../../model/repository/look.ts";
import type { RefChange } from "../../model/repository/ref-change.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { numberPosition } from "../kit/cursor.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { readTriggerDecisions, TriggerDecisionConnectionRef } from "./trigger-decision.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import {
  ChangesetRef,
  changesetLoader,
  RefChangeRef,
  refChangeLoader,
  RepositoryRef,
  repositoryLoader,
} from "../kit/refs.ts";

const FoundByEnum = describedEnum<FoundBy>("FoundBy", "How the server learned that a ref may have moved.", {
  CALLER: "By `lookAtRepository`.",
  HOOK: "By a hook of the host.",
  POLL: "By polling.",
});

addNode("refChange", "RefChange", refChangeLoader);
RefChangeRef.implement({
  extensions: requiredPermissions("WORKSPACE_READ"),
  description: "A branch or a tag that moved. Several pushes between two reads of the refs are one change.",
  interfaces: [NodeRef],
  fields: (t) => ({
    repository: t.field({
      type: RepositoryRef,
      nullable: true,
      description: "The repository. `null` if it was deleted.",
      resolve: ({ repositoryId }, _args, { loaders }) => loaders.load(repositoryLoader, repositoryId),
    }),
    ref: t.exposeString("ref", { description: "The full name of the ref, such as `refs/heads/main`." }),
    before: t.exposeString("before", {
      nullable: true,
      description: "The commit before. `null` if the ref is new.",
    }),
    after: t.exposeString("after", {
      nullable: true,
      description: "The commit after. `null` if the ref was deleted.",
    }),
    forced: t.exposeBoolean("forced", {
      nullable: true,
      description:
        "Whether the former commit is no ancestor of the new one. `null` until it is decided, and if a commit is missing.",
    }),
    foundBy: t.expose("foundBy", { type: FoundByEnum, description: "How the server learned of it." }),
    foundAt: t.expose("foundAt", { type: "DateTime", description: "When the server read the new commit." }),
    changeset: t.field({
      type: ChangesetRef,
      nullable: true,
      description:
        "The changeset of the runs that it starts. `null` if it starts none, or the caller may see none of them.",
      resolve: ({ changesetId }, _args, { loaders }) =>
        changesetId === null ? null : loaders.load(changesetLoader, changesetId),
    }),
    decisions: t.field({
      type: TriggerDecisionConnectionRef,
      description:
        "The workspaces in which it starts a run, or could have: those that follow the ref and whose inputs it changes.",
      args: pageArgs(),
      resolve: ({ id }, args, context) => readTriggerDecisions(context, id, args),
    }),
    decidedAt: t.expose("decidedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the runs that it starts were decided. `null` until then.",
    }),
  }),
});

const EdgeRef = edgeRef<RefChange>("RefChange", "change");
export const RefChangeConnectionRef = connectionRef<RefChange>("RefChange", "A page of changes, newest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: RefChangeRef, description: "The change.", resolve: (edge) => edge.node }),
);
builder.objectField(RefChangeConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The changes.", resolve: (connection) => connection.edges }),
);

/** The arguments of a list of changes. */
export function refChangeArgs() {
  return {
    ...pageArgs(),
    ...builder.args((t) => ({ ref: t.string({ description: "Only changes of this ref, by its full name." }) })),
  };
}

/** Reads a page of the changes of a repository. */
export async function readRefChanges(
  { caller, domain }: GraphqlContext,
  repositoryId: string,
  args: PageArguments & { ref?: string | null | undefined },
): Promise<Connection<RefChange>> {
  const name = `changes of ${repositoryId}`;
  const request = toPageRequest(args, { name, position: numberPosition });
  const ref = args.ref ?? null;
  // Postgres cannot hold U+0000, and no ref has it.
  const page = await domain.listRefChanges(caller, repositoryId, ref?.replaceAll("\0", " ") ?? null, request);
  return toConnection(name, page, (change) => change.seq);
}

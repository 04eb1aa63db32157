import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { namePosition } from "../kit/cursor.ts";
import { listCost } from "../kit/list-cost.ts";
import { loadNode, NodeRef } from "../kit/node.ts";
import { toPageRequest } from "../kit/page.ts";
import { checkSearch } from "../kit/search-filter.ts";

const LIST = { name: "search", position: namePosition, max: LIMITS.searchHits, size: LIMITS.defaultSearchHits };

interface FoundNode {
  title: string;
  node: { id: string };
}

const SearchHitRef = builder.objectRef<FoundNode>("SearchHit").implement({
  description: "An object that a search found. Later versions find objects of more types.",
  fields: (t) => ({
    title: t.exposeString("title", {
      description: "The name of the object; for a run its number in the workspace and the first line of its message.",
    }),
    node: t.expose("node", { type: NodeRef, description: "The object." }),
  }),
});

/** Finds objects, without those that the caller can no longer read. */
async function search(context: GraphqlContext, text: string, first: number): Promise<FoundNode[]> {
  const hits = await context.domain.search(context.caller, text, first);
  const nodes = await Promise.all(hits.map(({ id }) => loadNode(context, id)));
  return hits.flatMap(({ title }, index) => {
    const node = nodes[index] ?? null;
    return node === null ? [] : [{ title, node }];
  });
}

builder.queryField("search", (t) =>
  t.field({
    type: [SearchHitRef],
    description: `The objects that the caller may read and whose name contains a text: workspaces, projects, organizations (also by their slugs), teams, people, machine users, policy sets, pipelines, repositories and pools of runners. Exact names come first, then names that begin with the text. For a text within a name the newest ${LIMITS.searchedNames} objects of each type are searched. The id of an object, or at least its first six characters behind the \`_\`, finds it and also runs.`,
    args: {
      text: t.arg.string({
        required: true,
        description: `The text, literally and without regard to case; 1 to ${LIMITS.searchTextLength} characters.`,
      }),
      first: t.arg.int({
        extensions: listCost({ max: LIMITS.searchHits, size: LIMITS.defaultSearchHits, perPoint: 1 }),
        description: `The number of hits; at most ${LIMITS.searchHits}, ${LIMITS.defaultSearchHits} by default.`,
      }),
    },
    resolve: (_root, { text, first }, context) => {
      checkSearch(["text"], text);
      return search(context, text, toPageRequest({ first }, LIST).limit);
    },
  }),
);

/** mercurius with its compiler (jit), phases by its own loaders. */
import fastify from "fastify";
import mercurius from "mercurius";
import { createResolvers } from "./fields.ts";
import { openPool, reportUrl } from "./listen.ts";
import { TYPE_DEFINITIONS } from "./schema.ts";
import { createStore, type RunRow } from "./store.ts";

const store = createStore(openPool());
const app = fastify();
await app.register(mercurius, {
  schema: TYPE_DEFINITIONS,
  jit: 1,
  resolvers: createResolvers(store),
  loaders: {
    Run: {
      phases: {
        loader: (queries: readonly { readonly obj: RunRow }[]) => store.phasesOf(queries.map(({ obj }) => obj.id)),
        // A run is asked for once a request; to remember it costs more than it saves.
        opts: { cache: false },
      },
      workspace: {
        loader: (queries: readonly { readonly obj: RunRow }[]) =>
          store.workspaces(queries.map(({ obj }) => obj.workspace_id)),
        opts: { cache: false },
      },
      createdBy: {
        loader: (queries: readonly { readonly obj: RunRow }[]) =>
          store.actors(queries.map(({ obj }) => obj.created_by)),
        opts: { cache: false },
      },
    },
  },
});
reportUrl(await app.listen({ host: "127.0.0.1", port: 0 }));

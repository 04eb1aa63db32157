/** Apollo Server on Fastify, the fastest of its integrations, relations by data loaders of the request. */
import { ApolloServer } from "@apollo/server";
import fastifyApollo, { fastifyApolloDrainPlugin } from "@as-integrations/fastify";
import DataLoader from "dataloader";
import fastify from "fastify";
import { createResolvers } from "./fields.ts";
import { openPool, reportUrl } from "./listen.ts";
import { TYPE_DEFINITIONS } from "./schema.ts";
import { createStore, type NamedRow, type PhaseRow, type RunRow } from "./store.ts";

interface Context {
  readonly phases: DataLoader<string, PhaseRow[]>;
  readonly workspaces: DataLoader<string, NamedRow | undefined>;
  readonly actors: DataLoader<string, NamedRow | undefined>;
}

const store = createStore(openPool());
const resolvers = createResolvers(store);
const app = fastify();
const apollo = new ApolloServer<Context>({
  typeDefs: TYPE_DEFINITIONS,
  resolvers: {
    ...resolvers,
    Run: {
      ...resolvers.Run,
      phases: ({ id }: RunRow, _arguments: unknown, { phases }: Context) => phases.load(id),
      workspace: (run: RunRow, _arguments: unknown, { workspaces }: Context) => workspaces.load(run.workspace_id),
      createdBy: (run: RunRow, _arguments: unknown, { actors }: Context) => actors.load(run.created_by),
    },
  },
  plugins: [fastifyApolloDrainPlugin(app)],
});
await apollo.start();
await app.register(fastifyApollo(apollo), {
  context: async () => ({
    phases: new DataLoader((ids: readonly string[]) => store.phasesOf(ids)),
    workspaces: new DataLoader((ids: readonly string[]) => store.workspaces(ids)),
    actors: new DataLoader((ids: readonly string[]) => store.actors(ids)),
  }),
});
reportUrl(await app.listen({ host: "127.0.0.1", port: 0 }));

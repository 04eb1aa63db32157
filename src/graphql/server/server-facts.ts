import type { ServerFacts } from "../../domain/figures/server-queries.ts";
import { builder } from "../kit/builder.ts";

const ServerRef = builder.objectRef<ServerFacts>("Server").implement({
  description: "The server that answers.",
  fields: (t) => ({
    version: t.exposeString("version", { description: "The version of the product, such as `0.1.0`." }),
    publicUrl: t.exposeString("publicUrl", {
      nullable: true,
      description: "The origin by which browsers reach the server. `null` if it is not known.",
    }),
    features: t.stringList({
      description:
        "The features that are set up: IDENTITY_PROVIDER if people sign in by an identity provider, DIRECTORY_SOURCES if sources may be folders of the server. Later versions have more.",
      resolve: ({ features }) => [...features],
    }),
  }),
});

builder.queryField("server", (t) =>
  t.field({
    type: ServerRef,
    description: "The version of the server, its address and its features.",
    resolve: (_root, _args, { domain, caller }) => domain.server(caller),
  }),
);

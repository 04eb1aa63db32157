import type { SeenChangeset } from "../../model/changeset/changeset.ts";
import { ChangesetStateEnum } from "./changeset.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { ChangesetRef, OrganizationRef } from "../kit/refs.ts";

const EdgeRef = edgeRef<SeenChangeset>("Changeset", "changeset");
const ConnectionRef = connectionRef<SeenChangeset>("Changeset", "A page of changesets, newest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: ChangesetRef, description: "The changeset.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The changesets.", resolve: (connection) => connection.edges }),
);

builder.objectField(OrganizationRef, "changesets", (t) =>
  t.field({
    type: ConnectionRef,
    extensions: requiredPermissions("RUN_READ"),
    description: "The changesets of which the caller may read at least one run, newest first.",
    args: {
      ...pageArgs(),
      states: t.arg({
        type: [ChangesetStateEnum],
        description: "Only those in one of these states, as the caller sees them. If absent, those in any state.",
      }),
    },
    resolve: async ({ id }, { states = null, ...args }, { caller, domain }) => {
      const name = `changesets of ${id}`;
      const request = toPageRequest(args, { name, position: namePosition });
      const page = await domain.listChangesets(caller, id, states, request);
      return toConnection(name, page, (changeset) => changeset.id);
    },
  }),
);

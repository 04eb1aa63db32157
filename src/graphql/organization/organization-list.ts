import type { Organization } from "../../model/workspace/workspace.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { OrganizationRef } from "../kit/refs.ts";

const LIST = "organizations";

const EdgeRef = edgeRef<Organization>("Organization", "organization");
const ConnectionRef = connectionRef<Organization>("Organization", "A page of organizations, by slug.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: OrganizationRef, description: "The organization.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The organizations.", resolve: (connection) => connection.edges }),
);

builder.queryField("organizations", (t) =>
  t.field({
    type: ConnectionRef,
    description: "The organizations that the caller may read, by slug.",
    args: pageArgs(),
    resolve: async (_root, args, { caller, domain }) => {
      const request = toPageRequest(args, { name: LIST, position: namePosition });
      const page = await domain.listOrganizations(caller, request);
      return toConnection(LIST, page, ({ slug }) => slug);
    },
  }),
);

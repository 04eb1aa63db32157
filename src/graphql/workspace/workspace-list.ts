import { LIMITS } from "../../model/kit/limits.ts";
import type { DeploymentStatus, Workspace } from "../../model/workspace/workspace.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { checkSelector, LABELS_FILTER_WORDS } from "../kit/label-filter.ts";
import { checkSearch } from "../kit/search-filter.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { DeploymentStatusEnum } from "./workspace-enums.ts";

interface Counted {
  /** Absent for a list that is not counted. */
  totalCount?: () => Promise<number>;
}

type WorkspaceConnection = Connection<Workspace> & Counted;

const EdgeRef = edgeRef<Workspace>("Workspace", "workspace");
export const WorkspaceConnectionRef = connectionRef<Workspace, Counted>("Workspace", "A page of workspaces, by name.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: WorkspaceRef, description: "The workspace.", resolve: (edge) => edge.node }),
);
builder.objectFields(WorkspaceConnectionRef, (t) => ({
  edges: t.field({ type: [EdgeRef], description: "The workspaces.", resolve: (connection) => connection.edges }),
  totalCount: t.int({
    nullable: true,
    description: `The number of workspaces in the whole list, counted only if it is selected, and up to ${LIMITS.countAtMost}. \`null\` for \`PolicySet.workspaces\`.`,
    resolve: (connection) => connection.totalCount?.() ?? null,
  }),
}));

const WorkspaceFilterRef = builder.inputType("WorkspaceFilter", {
  description:
    "Selects workspaces. The given fields are joined by AND; an absent or null field does not filter; an empty list matches nothing.",
  fields: (t) => ({
    search: t.string({
      description: `Only workspaces whose name contains this text, without regard to case; at most ${LIMITS.searchTextLength} characters.`,
    }),
    locked: t.boolean({
      description: "true: only workspaces that a person or an interrupted apply has locked; false: only others.",
    }),
    paused: t.boolean({ description: "true: only paused workspaces; false: only others." }),
    deploymentStatuses: t.field({
      type: [DeploymentStatusEnum],
      description: "Only workspaces whose `deploymentStatus` is one of these.",
    }),
  }),
});

/** The arguments of a list of workspaces. */
export function workspaceListArgs() {
  return {
    ...pageArgs(),
    ...builder.args((t) => ({
      search: t.string({ description: "Only workspaces whose name contains this text." }),
      labels: t.stringList({ description: LABELS_FILTER_WORDS }),
      filter: t.field({ type: WorkspaceFilterRef, description: "Only workspaces that match this." }),
    })),
  };
}

interface WorkspaceFilterInput {
  search?: string | null | undefined;
  locked?: boolean | null | undefined;
  paused?: boolean | null | undefined;
  deploymentStatuses?: readonly DeploymentStatus[] | null | undefined;
}

type WorkspaceListArguments = PageArguments & {
  search?: string | null | undefined;
  labels?: readonly string[] | null | undefined;
  filter?: WorkspaceFilterInput | null | undefined;
};

/** A page of the workspaces of an organization. */
export async function readWorkspaces(
  { caller, domain }: GraphqlContext,
  organizationId: string,
  args: WorkspaceListArguments,
): Promise<WorkspaceConnection> {
  const name = `workspaces of ${organizationId}`;
  const request = toPageRequest(args, { name, position: namePosition });
  const given = args.filter ?? {};
  const filter = {
    ...(typeof args.search === "string" && { search: args.search }),
    ...(args.labels?.length && { labels: args.labels }),
    ...(typeof given.search === "string" && { text: given.search }),
    ...(typeof given.locked === "boolean" && { locked: given.locked }),
    ...(typeof given.paused === "boolean" && { paused: given.paused }),
    ...(Array.isArray(given.deploymentStatuses) && { deploymentStatuses: given.deploymentStatuses }),
  };
  checkSearch(["filter", "search"], given.search);
  checkSelector(["labels"], filter.labels ?? []);
  const page = await domain.listWorkspaces(caller, organizationId, filter, request);
  const connection = toConnection(name, page, (workspace) => workspace.name);
  return { ...connection, totalCount: () => domain.countWorkspaces(caller, organizationId, filter) };
}

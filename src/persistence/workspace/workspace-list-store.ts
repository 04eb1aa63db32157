/** Lists of the workspaces of an organization. */
import { sql } from "kysely";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { DeploymentStatus, Workspace } from "../../model/workspace/workspace.ts";
import type { Reader } from "../database/database.ts";
import { within } from "../database/scope.ts";
import { hasDeploymentStatus } from "./deployment-sql.ts";
import { hasLabels } from "./label-store.ts";
import { toWorkspace } from "./workspace-store.ts";

export interface WorkspaceFilter {
  /** A part of the name. */
  search?: string;
  /** They have all of these labels. */
  labels?: readonly string[];
  /** A part of the name, without regard to case. */
  text?: string;
  /** Whether a person or an interrupted apply has locked them, at an instant. */
  locked?: { is: boolean; at: string };
  paused?: boolean;
  deploymentStatuses?: readonly DeploymentStatus[];
}

function workspacesIn(
  reader: Reader,
  scope: CallerScope,
  organizationId: string,
  { search, labels, text, locked, paused, deploymentStatuses }: WorkspaceFilter,
) {
  const limits = within(scope, { organization: "organization_id", project: "project_id", workspace: "id" });
  const isLocked = sql`(locked_at is not null and (lock_expires_at is null or lock_expires_at > ${locked?.at ?? ""}))`;
  return reader.sql
    .selectFrom("workspace")
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .$if(limits !== null, (q) => q.where(limits ?? sql<boolean>`true`))
    .$if(search !== undefined, (q) => q.where(sql<boolean>`strpos(name, ${search}) > 0`))
    .$if(text !== undefined, (q) => q.where(sql<boolean>`strpos(lower(name), lower(${text})) > 0`))
    .$if(locked !== undefined, (q) => q.where(sql<boolean>`${isLocked} = ${locked?.is ?? false}`))
    .$if(paused !== undefined, (q) => q.where("paused", "=", paused ?? false))
    .$if(deploymentStatuses !== undefined, (q) => q.where(hasDeploymentStatus(deploymentStatuses ?? [])))
    .$if(labels !== undefined, (q) => q.where(hasLabels("workspace", labels ?? [])));
}

/** Counts the workspaces of a scope, up to `atMost`. */
export async function countWorkspaces(
  reader: Reader,
  scope: CallerScope,
  organizationId: string,
  filter: WorkspaceFilter,
  atMost: number,
): Promise<number> {
  const row = await reader.sql
    .selectFrom(workspacesIn(reader, scope, organizationId, filter).select("id").limit(atMost).as("some"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Lists the workspaces of a scope by name; positions are names. */
export async function listWorkspaces(
  reader: Reader,
  scope: CallerScope,
  organizationId: string,
  filter: WorkspaceFilter,
  page: PageRequest<string>,
): Promise<Page<Workspace>> {
  const { after, before } = page;
  const rows = await workspacesIn(reader, scope, organizationId, filter)
    .selectAll()
    .$if(after !== null, (q) => q.where("name", ">", after ?? ""))
    .$if(before !== null, (q) => q.where("name", "<", before ?? ""))
    .orderBy("name", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toWorkspace));
}

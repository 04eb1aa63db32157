/** Permissions that are checked twice: what comes between the two is refused as it would be without the other. */
import { randomUUID } from "node:crypto";
import { createRun } from "../../src/domain/run/create-run.ts";
import type { Permission } from "../../src/model/people/permission-set.ts";
import type { RunKind } from "../../src/model/lifecycle/run-kind.ts";
import type { Api, Data } from "../support/api.ts";
import { allBut, callerWith, createProject } from "./callers.ts";
import { type Probe, type WalkScene, withoutIds } from "./walk-scene.ts";

export function orderProbes(walk: WalkScene): Probe[] {
  const { scene } = walk;
  const forbidden = async (api: Api, name: string, input: object, permission: Permission): Promise<string | null> => {
    const answer = await walk.send(api, name, input);
    return answer.code === "FORBIDDEN" && answer.permission === permission ? null : JSON.stringify(answer);
  };
  const kinds: [RunKind, Permission][] = [
    ["DEPLOY", "RUN_DEPLOY"],
    ["PLAN", "RUN_PLAN"],
    ["DESTROY", "RUN_DESTROY"],
    ["TASK", "RUN_TASK"],
  ];
  return [
    // Who may not do it is told nothing about the input.
    ...kinds.map(
      ([kind, permission]): Probe => ({
        name: `createRun ${kind} without ${permission} and with a bad key`,
        async run() {
          const input = { workspaceId: await scene.createWorkspace(), kind, idempotencyKey: "" };
          return forbidden(await walk.having(allBut(permission)), "createRun", input, permission);
        },
      }),
    ),
    {
      name: "updateWorkspace without WORKSPACE_UPDATE and with a bad name",
      async run() {
        const input = { workspaceId: await scene.createWorkspace(), name: "" };
        return forbidden(await walk.having(allBut("WORKSPACE_UPDATE")), "updateWorkspace", input, "WORKSPACE_UPDATE");
      },
    },
    {
      name: "discardRun of an approved run without RUN_DISCARD",
      async run() {
        const { runId } = await scene.reach("CONFIRMED");
        return forbidden(await walk.having(allBut("RUN_DISCARD")), "discardRun", { runId }, "RUN_DISCARD");
      },
    },
    {
      name: "discardRun of an approved run without APPLY_APPROVE",
      async run() {
        const { runId } = await scene.reach("CONFIRMED");
        return forbidden(await walk.having(allBut("APPLY_APPROVE")), "discardRun", { runId }, "APPLY_APPROVE");
      },
    },
    ...(["approveRun", "withdrawApproval"] as const).map((name) => ({
      name: `${name} at the gate APPLY without APPLY_APPROVE`,
      async run() {
        const { runId } = await scene.reach("AWAITING_APPLY_APPROVAL");
        const input = { runId, gate: "APPLY", ...(name === "approveRun" && { planVersion: 1 }) };
        return forbidden(await walk.having(allBut("APPLY_APPROVE")), name, input, "APPLY_APPROVE");
      },
    })),
    ...kinds.slice(1, 3).map(
      ([kind, permission]): Probe => ({
        name: `retryRun ${kind} without ${permission}`,
        async run() {
          const { runId } = await scene.reach("FAILED", kind);
          return forbidden(await walk.having(allBut(permission)), "retryRun", { runId }, permission);
        },
      }),
    ),
    {
      name: "createWorkspace in a hidden project",
      async run() {
        const [projectId, hidden] = [await createProject(walk), await createProject(walk)];
        const api = await callerWith(walk, { [projectId]: allBut() });
        const input = { ...WORKSPACE, organization: "default", projectId: hidden };
        const answer = await walk.send(api, "createWorkspace", input);
        return answer.code === "NOT_FOUND" ? null : JSON.stringify(answer);
      },
    },
    {
      name: "createWorkspace in a project of a hidden organization",
      run: () => createInHiddenOrganization(walk),
    },
    {
      name: "createRun in a workspace that moves meanwhile",
      run: () => createWhileItMoves(walk),
    },
    {
      name: "bulkRunAction RETRY with one of its permissions",
      async run() {
        const { workspaceId } = await scene.reach("FAILED");
        const project = await projectOf(walk, workspaceId);
        const api = await callerWith(walk, { [project]: ["RUN_DEPLOY"] });
        const answer = await walk.send(api, "bulkRunAction", { action: "RETRY", filter: { workspaceId } });
        return answer.__typename === "BulkRunActionSuccess" ? null : JSON.stringify(answer);
      },
    },
    {
      name: "createChangeset over a label that a hidden workspace has too",
      async run() {
        const [projectId, labels] = [await createProject(walk), [`l-${randomUUID()}`]];
        await scene.createWorkspace({ labels });
        await scene.createWorkspace({ labels, projectId });
        const api = await callerWith(walk, { [projectId]: ["RUN_PLAN", "RUN_READ"] });
        const input = { organizationId: walk.organizationId, title: "one", kind: "PLAN", labels };
        const answer = await walk.send(api, "createChangeset", input);
        return answer.__typename === "CreateChangesetSuccess" ? null : JSON.stringify(answer);
      },
    },
    {
      name: "bulkRunAction of hidden runs",
      async run() {
        const { workspaceId } = await scene.reach("READY");
        const api = await callerWith(walk, { [await createProject(walk)]: allBut() });
        const input = { action: "CANCEL", filter: { workspaceId } };
        const answer = await walk.send(api, "bulkRunAction", input, "operation { id }");
        // What the caller is shown leaves out hidden runs by itself.
        const text = "select total_count from bulk_operation where id = $1";
        const [row] = await scene.rows(text, answer.operation?.id ?? "");
        return row?.["total_count"] === 0 ? null : JSON.stringify([answer, row]);
      },
    },
  ];
}

const WORKSPACE = { name: "one", source: { directory: { path: "/one" } } };

/** It takes the statements of an organization that does not exist: none about its project. */
async function createInHiddenOrganization(walk: WalkScene): Promise<string | null> {
  const slug = `o-${randomUUID().slice(0, 8)}`;
  const { organization } = await walk.make("createOrganization", { slug, name: "Other" }, "organization { id }");
  const projectId = await createProject(walk);
  const api = await walk.machine("ADMIN", organization.id, organization.id);
  const answers: Data[] = [];
  const traceIn = (named: string): Promise<string[]> =>
    walk.traceOf(async () => {
      const input = { ...WORKSPACE, organization: named, projectId };
      answers.push(await walk.send(api, "createWorkspace", input));
    });
  const traces = [await traceIn("default"), await traceIn("absent")].map((statements) => statements.join("\n"));
  const [hidden, absent] = answers.map((answer) => withoutIds(JSON.stringify(answer)));
  if (hidden !== absent) return `${hidden} is told apart from ${absent}`;
  return traces[0] === traces[1] ? null : `its statements:\n${traces.join("\n\n")}`;
}

async function projectOf({ scene }: WalkScene, workspaceId: string): Promise<string> {
  const [row] = await scene.rows("select project_id from workspace where id = $1", workspaceId);
  return row["project_id"];
}

/** The command alone, without what runs it again under the rights of its commit. */
async function createWhileItMoves(walk: WalkScene): Promise<string | null> {
  const { scene } = walk;
  const { deps, domain } = scene.server;
  const [from, to] = [await createProject(walk), await createProject(walk)];
  const workspaceId = await scene.createWorkspace({ projectId: from });
  const api = await callerWith(walk, { [from]: ["RUN_DEPLOY"] });
  const caller = await domain.authenticate(api.token);
  if (caller === null) throw new Error("The token is not in force.");
  const transaction: typeof deps.database.transaction = async (...asked) => {
    await scene.rows("update workspace set project_id = $2 where id = $1", workspaceId, to);
    return deps.database.transaction(...asked);
  };
  const options = { targets: null, replace: null, refreshOnly: false, planRunId: null, command: null, metadata: null };
  const input = { workspaceId, kind: "DEPLOY", message: null, priority: 0, scheduledAt: null, ...options } as const;
  const moving = { ...deps, database: { ...deps.database, transaction } };
  const created = createRun(moving, caller, { ...input, idempotencyKey: null });
  const code: Data = await created.then(
    () => "a run",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : String(error)),
  );
  return code === "FORBIDDEN" ? null : `${code} instead of FORBIDDEN`;
}

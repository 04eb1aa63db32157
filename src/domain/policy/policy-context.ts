/** Collects what policies may read about a run beside its plan. */
import type { Json } from "../../model/plan/json.ts";
import type { PolicyContext } from "../../model/policy/evaluator.ts";
import { POLICY_INPUT_VERSION } from "../../model/policy/neutral-context.ts";
import type { PolicyPoint } from "../../model/policy/policy-set.ts";
import { plannedBy, type Run } from "../../model/run/run.ts";
import type { Variable, Workspace } from "../../model/workspace/workspace.ts";
import { listApprovals } from "../../persistence/approval/approval-store.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { findProjects } from "../../persistence/organization/project-store.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import { listTeamsOfActors } from "../../persistence/people/team-store.ts";
import { findPreviousRun } from "../../persistence/run/previous-run-store.ts";
import type { Reader } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { readShownVariables } from "../variables/run-variables.ts";
import type { PlanDocument } from "./plan-document.ts";

/** The run that is judged; before it exists, what it will be. */
export type ContextRun = Pick<
  Run,
  | "kind"
  | "trigger"
  | "cause"
  | "message"
  | "createdAt"
  | "revision"
  | "targets"
  | "replace"
  | "refreshOnly"
  | "command"
  | "metadata"
  | "createdById"
> &
  (
    | Pick<Run, "id" | "number" | "planVersion" | "planRunId">
    | { id: null; number: null; planVersion: 0; planRunId: null; variables: readonly NamedVariable[] }
  );

type NamedVariable = Pick<Variable, "key" | "category" | "sensitive">;

interface ContextOptions {
  point: PolicyPoint;
  /** The instant at which the judgement was ordered: a second one of the same order gives the same answer. */
  at: string;
  document: Pick<PlanDocument, "truncated" | "cost"> | null;
}

/** Reads the context of a run. Values of variables are never part of it. */
export async function readPolicyContext(
  reader: Reader,
  deps: Pick<Deps, "cipher">,
  { run, workspace }: { run: ContextRun; workspace: Workspace },
  { point, at, document }: ContextOptions,
): Promise<PolicyContext> {
  const [organization = null] = await findOrganizations(reader, [workspace.organizationId]);
  const [project = null] = await findProjects(reader, [workspace.projectId]);
  const [actor = null] = await findActors(reader, [run.createdById]);
  const [teams = []] = await listTeamsOfActors(reader, [run.createdById], at);
  const previous = await findPreviousRun(reader, workspace.id, run.number);
  const { source } = workspace;
  const git = source.type === "git" ? source : null;
  return {
    holdpoint: { version: POLICY_INPUT_VERSION, at, point, truncated: document?.truncated ?? [] },
    run: {
      id: run.id,
      number: run.number,
      kind: run.kind,
      trigger: run.trigger,
      cause: causeOf(run.cause),
      message: run.message,
      createdAt: run.createdAt,
      planVersion: run.planVersion,
      revision: run.revision,
      commit: git === null ? null : run.revision,
      branch: git?.branch ?? null,
      targets: run.targets,
      replace: run.replace,
      refreshOnly: run.refreshOnly,
      command: run.command,
      metadata: { ...run.metadata },
      variables: namesOf(run.id === null ? run.variables : await readVariables(reader, deps, run.id)),
    },
    workspace: {
      id: workspace.id,
      name: workspace.name,
      description: workspace.description,
      createdAt: workspace.createdAt,
      project: { id: workspace.projectId, name: project?.name ?? null },
      labels: labelsOf(workspace),
      autoApply: workspace.autoApply,
      directory: git?.path ?? null,
      repository: git?.url ?? null,
      branch: git?.branch ?? null,
    },
    organization: { id: workspace.organizationId, name: organization?.slug ?? null },
    actor: {
      id: run.createdById,
      name: actor?.name ?? null,
      kind: actor?.kind ?? null,
      teams: teams.map(({ name }) => name),
    },
    approvals: run.id === null ? [] : await readApprovals(reader, [...new Set([plannedBy(run), run.id])]),
    cost: costOf(document),
    previousRun:
      previous === null
        ? null
        : {
            id: previous.id,
            status: previous.status,
            message: previous.message,
            commit: git === null ? null : previous.revision,
            createdAt: previous.createdAt,
          },
  };
}

async function readVariables(reader: Reader, deps: Pick<Deps, "cipher">, runId: string): Promise<NamedVariable[]> {
  const [variables = []] = await readShownVariables(reader, deps, [runId]);
  return variables;
}

/** Variables by their names. Their values are never shown. */
function namesOf(variables: readonly NamedVariable[]): Record<string, Json> {
  return Object.fromEntries(variables.map(({ key, category, sensitive }) => [key, { category, sensitive }]));
}

function causeOf(cause: Run["cause"]): Json {
  if (cause?.type === "DEPENDENCY") return { ...cause, changedOutputs: [...cause.changedOutputs] };
  if (cause?.type === "INBOUND_HOOK") return { ...cause, metadata: { ...cause.metadata } };
  return cause === null ? null : { ...cause };
}

/** Labels by their keys; one without a value has an empty text. */
function labelsOf({ labels }: Workspace): Record<string, Json> {
  return Object.fromEntries(
    labels.map((label) => {
      const colon = label.indexOf(":");
      return colon === -1 ? [label, ""] : [label.slice(0, colon), label.slice(colon + 1)];
    }),
  );
}

async function readApprovals(reader: Reader, runIds: readonly string[]): Promise<Json[]> {
  const all = (await listApprovals(reader, runIds)).flat();
  const given = all.filter(({ counts, decision }) => counts && decision === "APPROVED");
  if (given.length === 0) return [];
  const actorIds = [...new Set(given.map(({ actorId }) => actorId))];
  const actors = await findActors(reader, actorIds);
  const names = new Map(actorIds.map((id, index) => [id, actors[index]?.name ?? null]));
  return given.map(({ actorId, gate, stage, at, comment }) => {
    return { actor: { id: actorId, name: names.get(actorId) ?? null }, gate, stage, at, comment };
  });
}

function costOf(document: ContextOptions["document"]): Json {
  const cost = document?.cost ?? null;
  if (cost === null) return null;
  const { currency, monthlyBefore, monthlyAfter, monthlyDelta } = cost;
  return { currency, monthlyBefore, monthlyAfter, monthlyDelta };
}

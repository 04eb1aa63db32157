import { isStateRollback, plannedBy, type Run } from "../../model/run/run.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { findNewestPlans } from "../../persistence/plan/plan-store.ts";
import { findStateRollbacks } from "../../persistence/state/state-version-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { readStages } from "../lifecycle/run-stages.ts";
import { readApprovals } from "../lifecycle/read-approvals.ts";
import { acceptsWarnings, workspaceContextAt, passedPlanGate } from "../lifecycle/machine-input.ts";
import { readCarriedOverrides } from "../policy/held-overrides.ts";
import { withRefusedCancels } from "../lifecycle/force-stop.ts";
import type { DecidedRun } from "./withdrawal.ts";

/**
 * Reads the runs with everything that decisions about them depend on, without a lock. `null` if the workspace is gone.
 */
export async function readSubjects(reader: Reader, runs: readonly Run[], at: Date): Promise<(DecidedRun | null)[]> {
  const runIds = runs.map((run) => run.id);
  const workspaceIds = runs.map((run) => run.workspaceId);
  const organizationIds = runs.map((run) => run.organizationId);
  const [plans, rollbacks, workspaces, organizations, approvals, stages, carried] = await Promise.all([
    findNewestPlans(reader, runs.map(plannedBy)),
    // Most lists have no rollback and save this statement.
    runs.some(isStateRollback) ? findStateRollbacks(reader, runIds) : [],
    findWorkspaces(reader, workspaceIds),
    findOrganizations(reader, organizationIds),
    readApprovals(reader, runs),
    readStages(reader, runs),
    readCarriedOverrides(reader, runs),
  ]);
  const found = runs.map((run, index) => {
    const workspace = workspaces[index] ?? null;
    const organization = organizations[index] ?? null;
    if (workspace === null || organization === null) return null;
    const decided = approvals[index] ?? [];
    const context = workspaceContextAt(at, workspace, organization);
    const made = { plan: plans[index] ?? null, rollback: rollbacks[index] ?? null, stages: stages[index] ?? [] };
    const planApproved = passedPlanGate(
      context.rules,
      run,
      made.stages,
      decided.filter(({ runId }) => runId === run.planRunId),
    );
    const warningsAccepted = planApproved || decided.some((approval) => acceptsWarnings(run, approval));
    return {
      subject: { ...context, run, ...made, planApproved, warningsAccepted },
      approvals: decided,
      carried: carried[index] ?? [],
    };
  });
  const subjects = await withRefusedCancels(
    reader,
    found.flatMap((each) => (each === null ? [] : [each.subject])),
  );
  const byId = new Map(subjects.map((subject) => [subject.run.id, subject]));
  return found.map((each) => each && { ...each, subject: byId.get(each.subject.run.id) ?? each.subject });
}

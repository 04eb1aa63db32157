import { LIMITS } from "../../model/kit/limits.ts";
import { idKind } from "../../model/kit/id.ts";
import { invalidField, notFound } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { placeOf, type Placed } from "../../model/people/place.ts";
import type { DriftReport } from "../../model/workspace/drift-report.ts";
import { putAcknowledgement } from "../../persistence/plan/drift-acknowledgement-store.ts";
import { findDriftReports } from "../../persistence/plan/drift-report-store.ts";
import { lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";

export interface AcknowledgeDriftInput {
  reportId: string;
  until: string;
  note: string | null;
}

/**
 * Records that people know of a drift: until then the same drift sends no webhook and gets no run. Another drift is
 * reported as before.
 */
export function acknowledgeDrift(
  deps: Deps,
  caller: ActorCaller,
  { reportId, until, note }: AcknowledgeDriftInput,
): Promise<DriftReport> {
  const at = deps.clock();
  return command<Placed<DriftReport>, DriftReport>(
    deps,
    caller,
    {
      name: "acknowledgeDrift",
      permission: "RUN_DEPLOY",
      words: "acknowledging drift",
      noun: "drift report",
      sight: "RUN_READ",
      subjectId: reportId,
      placeOf,
      find: async (tx) =>
        idKind(reportId) === "driftReport" ? ((await findDriftReports(tx, [reportId]))[0] ?? null) : null,
      check: (check) => checkInput(check, { until, note }, at),
    },
    async (tx, report) => {
      const { workspaceId, fingerprint } = report;
      const workspace = await lockKeptWorkspace(tx, workspaceId);
      if (workspace === null) throw notFound("drift report");
      if (fingerprint === "" || workspace.drift?.fingerprint !== fingerprint) {
        throw invalidField("reportId", "is not about the drift that is open now: give the newest report with drift.");
      }
      const actorId = caller.actor.id;
      await putAcknowledgement(tx, { workspaceId, fingerprint, until, note, actorId, at: at.toISOString() });
      await recordWorkspaceChange(tx, deps, workspace, actorId, ["drift"]);
      return report;
    },
  );
}

function checkInput(check: InputCheck, { until, note }: Omit<AcknowledgeDriftInput, "reportId">, at: Date): void {
  check.text("note", note);
  const ms = Date.parse(until);
  const isAhead = ms > at.getTime() && ms <= at.getTime() + LIMITS.driftAcknowledgedMs;
  check.require(isAhead, "until", "must be in the future, and within 366 days.");
}

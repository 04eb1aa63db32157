/** What can be read about the gates of runs, and what is said beside them. */
import { LIMITS } from "../../model/kit/limits.ts";
import { mayAnywhere } from "../../model/people/permission.ts";
import { rolesThatMay } from "../../model/people/role.ts";
import { toPage } from "../../model/kit/page.ts";
import { listActorIdsByRole } from "../../persistence/approval/approver-store.ts";
import { findRunComments, listRunComments } from "../../persistence/run/run-comment-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { ApprovalQueries } from "../run/approval-commands.ts";
import { approvalRequirements } from "../run/approval-requirements.ts";
import { readSubjects } from "../run/read-subjects.ts";

export function approvalQueries({ database, clock }: Deps): ApprovalQueries {
  return {
    approvalRequirements: async (caller, runs) => {
      if (runs.length === 0 || !mayAnywhere(caller, "run:read")) return runs.map(() => []);
      const now = clock();
      const roles = rolesThatMay("run:approve");
      const approverIds = await listActorIdsByRole(database, roles, now.toISOString(), LIMITS.approversAsked);
      const found = await readSubjects(database, runs, now);
      return found.map((each) =>
        each === null ? [] : approvalRequirements(caller, each.subject, each.approvals, approverIds),
      );
    },
    runComments: async (caller, ids) =>
      ids.length === 0 || !mayAnywhere(caller, "run:read") ? ids.map(() => null) : findRunComments(database, ids),
    listRunComments: async (caller, runId, page) =>
      mayAnywhere(caller, "run:read") ? listRunComments(database, runId, page) : toPage(page, []),
  };
}

import { approveRun } from "./approve-run.ts";
import { cancelRun } from "./cancel-run.ts";
import { commentOnRun } from "./comment-on-run.ts";
import { createRun } from "./create-run.ts";
import { discardRun } from "./discard-run.ts";
import { prioritizeRun } from "./prioritize-run.ts";
import { promoteRun } from "./promote-run.ts";
import { rejectRun } from "./reject-run.ts";
import { replanRun } from "./replan-run.ts";
import { retryRun } from "./retry-run.ts";
import { rollbackRun } from "./rollback-run.ts";
import { withdrawApproval } from "./withdraw-approval.ts";

/** The commands about runs, by name. */
export const RUN_COMMANDS = {
  approveRun,
  cancelRun,
  commentOnRun,
  createRun,
  discardRun,
  prioritizeRun,
  promoteRun,
  rejectRun,
  replanRun,
  retryRun,
  rollbackRun,
  withdrawApproval,
};

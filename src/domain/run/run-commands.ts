import type { Commands } from "../kit/bind-commands.ts";
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
  approveRun: {
    run: approveRun,
    errors: [
      "INVALID_INPUT",
      "NOT_FOUND",
      "FORBIDDEN",
      "REAUTHENTICATION_REQUIRED",
      "RUN_STATE_CONFLICT",
      "STALE_PLAN",
    ],
  },
  cancelRun: { run: cancelRun, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "RUN_STATE_CONFLICT"] },
  commentOnRun: { run: commentOnRun, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  createRun: {
    run: createRun,
    errors: [
      "INVALID_INPUT",
      "NOT_FOUND",
      "FORBIDDEN",
      "IDEMPOTENCY_CONFLICT",
      "STALE_PLAN",
      "RUN_STATE_CONFLICT",
      "POLICY_DENIED",
    ],
  },
  discardRun: {
    run: discardRun,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "RUN_STATE_CONFLICT", "STALE_PLAN"],
  },
  prioritizeRun: { run: prioritizeRun, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "RUN_STATE_CONFLICT"] },
  promoteRun: {
    run: promoteRun,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "IDEMPOTENCY_CONFLICT", "RUN_STATE_CONFLICT", "POLICY_DENIED"],
  },
  rejectRun: {
    run: rejectRun,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "RUN_STATE_CONFLICT", "STALE_PLAN"],
  },
  replanRun: {
    run: replanRun,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "RUN_STATE_CONFLICT", "STALE_PLAN"],
  },
  retryRun: {
    run: retryRun,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "RUN_STATE_CONFLICT", "STALE_PLAN", "POLICY_DENIED"],
  },
  rollbackRun: {
    run: rollbackRun,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "IDEMPOTENCY_CONFLICT", "RUN_STATE_CONFLICT", "POLICY_DENIED"],
  },
  withdrawApproval: {
    run: withdrawApproval,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "RUN_STATE_CONFLICT"],
  },
} as const satisfies Commands;

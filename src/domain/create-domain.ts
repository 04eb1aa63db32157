import { createReads } from "./access/reads.ts";
import { createBulkQueries } from "./bulk/bulk-queries.ts";
import { bulkRunAction } from "./bulk/bulk-run-action.ts";
import { stopBulkOperation } from "./bulk/stop-bulk-operation.ts";
import type { Deps } from "./kit/deps.ts";
import type { Domain } from "./domain.ts";
import { createRejectedCommandQueries } from "./organization/rejected-command-queries.ts";
import { createOrganization } from "./organization/create-organization.ts";
import { updateOrganization } from "./organization/update-organization.ts";
import { createQueries } from "./queries/queries.ts";
import { adoptRecoveredState } from "./recovered-state/adopt-recovered-state.ts";
import { discardRecoveredState } from "./recovered-state/discard-recovered-state.ts";
import { recoveredStateQueries } from "./recovered-state/recovered-state-queries.ts";
import { approveRun } from "./run/approve-run.ts";
import { cancelRun } from "./run/cancel-run.ts";
import { commentOnRun } from "./run/comment-on-run.ts";
import { createRun } from "./run/create-run.ts";
import { discardRun } from "./run/discard-run.ts";
import { promoteRun } from "./run/promote-run.ts";
import { rejectRun } from "./run/reject-run.ts";
import { replanRun } from "./run/replan-run.ts";
import { prioritizeRun } from "./run/prioritize-run.ts";
import { retryRun } from "./run/retry-run.ts";
import { rollbackRun } from "./run/rollback-run.ts";
import { withdrawApproval } from "./run/withdraw-approval.ts";
import { createRunnerCommands } from "./runner-pool/runner-commands.ts";
import { createRunnerQueries } from "./runner-pool/runner-queries.ts";
import { forceUnlockState } from "./state/force-unlock-state.ts";
import { rollbackState } from "./state/rollback-state.ts";
import { createStateQueries } from "./state/state-queries.ts";
import { createAuthenticate } from "./token/authenticate.ts";
import { createToken } from "./token/create-token.ts";
import { revokeToken } from "./token/revoke-token.ts";
import { createWebhook } from "./webhook/create-webhook.ts";
import { deleteWebhook } from "./webhook/delete-webhook.ts";
import { redeliverWebhook } from "./webhook/redeliver-webhook.ts";
import { rotateWebhookSecret } from "./webhook/rotate-webhook-secret.ts";
import { testWebhook } from "./webhook/test-webhook.ts";
import { updateWebhook } from "./webhook/update-webhook.ts";
import { createWebhookQueries } from "./webhook/webhook-queries.ts";
import { createWorkspace } from "./workspace/create-workspace.ts";
import { deleteVariable } from "./workspace/delete-variable.ts";
import { deleteWorkspace } from "./workspace/delete-workspace.ts";
import { lockWorkspace } from "./workspace/lock-workspace.ts";
import { setVariable } from "./workspace/set-variable.ts";
import { unlockWorkspace } from "./workspace/unlock-workspace.ts";
import { updateWorkspace } from "./workspace/update-workspace.ts";

/** Every use case, bound to what it is built from. */
export function createDomain(deps: Deps): Domain {
  const reads = createReads(deps.database);
  return {
    ...createQueries(deps, reads),
    ...createBulkQueries(deps, reads),
    ...createWebhookQueries(deps, reads),
    ...createRunnerQueries(deps, reads),
    ...createRunnerCommands(deps),
    ...recoveredStateQueries(deps, reads),
    ...createStateQueries(deps, reads),
    ...createRejectedCommandQueries(deps),
    authenticate: createAuthenticate(deps),
    createWorkspace: (caller, input) => createWorkspace(deps, caller, input),
    createOrganization: (caller, input) => createOrganization(deps, caller, input),
    updateOrganization: (caller, input) => updateOrganization(deps, caller, input),
    updateWorkspace: (caller, input) => updateWorkspace(deps, caller, input),
    deleteWorkspace: (caller, input) => deleteWorkspace(deps, caller, input),
    lockWorkspace: (caller, input) => lockWorkspace(deps, caller, input),
    setVariable: (caller, input) => setVariable(deps, caller, input),
    deleteVariable: (caller, input) => deleteVariable(deps, caller, input),
    unlockWorkspace: (caller, input) => unlockWorkspace(deps, caller, input),
    createRun: (caller, input) => createRun(deps, caller, input),
    adoptRecoveredState: (caller, input) => adoptRecoveredState(deps, caller, input),
    discardRecoveredState: (caller, input) => discardRecoveredState(deps, caller, input),
    approveRun: (caller, input) => approveRun(deps, caller, input),
    withdrawApproval: (caller, input) => withdrawApproval(deps, caller, input),
    commentOnRun: (caller, input) => commentOnRun(deps, caller, input),
    rejectRun: (caller, input) => rejectRun(deps, caller, input),
    discardRun: (caller, input) => discardRun(deps, caller, input),
    cancelRun: (caller, input) => cancelRun(deps, caller, input),
    replanRun: (caller, input) => replanRun(deps, caller, input),
    retryRun: (caller, input) => retryRun(deps, caller, input),
    bulkRunAction: (caller, input) => bulkRunAction(deps, caller, input),
    stopBulkOperation: (caller, input) => stopBulkOperation(deps, caller, input),
    prioritizeRun: (caller, input) => prioritizeRun(deps, caller, input),
    promoteRun: (caller, input) => promoteRun(deps, caller, input),
    rollbackRun: (caller, input) => rollbackRun(deps, caller, input),
    rollbackState: (caller, input) => rollbackState(deps, caller, input),
    forceUnlockState: (caller, input) => forceUnlockState(deps, caller, input),
    createToken: (caller, input) => createToken(deps, caller, input),
    revokeToken: (caller, input) => revokeToken(deps, caller, input),
    createWebhook: (caller, input) => createWebhook(deps, caller, input),
    updateWebhook: (caller, input) => updateWebhook(deps, caller, input),
    deleteWebhook: (caller, input) => deleteWebhook(deps, caller, input),
    rotateWebhookSecret: (caller, input) => rotateWebhookSecret(deps, caller, input),
    testWebhook: (caller, input) => testWebhook(deps, caller, input),
    redeliverWebhook: (caller, input) => redeliverWebhook(deps, caller, input),
  };
}

/**
 * Checks that the walk does not notice when they are open, by their names. Each has the reason for which no caller can tell,
 * or the test that asks in place of the walk. A check that is noticed, or that is gone, must not be listed.
 */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  "domain/organization/activity-queries.ts permitOrNull 1": isAskedBy("scoped-callers.test.ts"),
  "domain/organization/activity-queries.ts scopeOf 1": isAskedBy("scoped-callers.test.ts"),
  "domain/organization/activity-queries.ts scopeOf 2": isAskedBy("parts.test.ts"),
  "domain/organization/rejected-command-queries.ts permit 1": takesItsRows("listRejectedCommands"),
  "domain/people/people-queries.ts permitPage 1": takesItsRows("listGrants"),
  "domain/repository/repository-queries.ts permitPage 1": takesItsRows("listTriggerDecisions"),
  "domain/run/run-queries.ts permitPage 2": takesItsRows("listRuns"),
  "domain/schedule/schedule-queries.ts permitPage 1": takesItsRows("listSchedules"),
  "domain/workspace/workspace-queries.ts permitPage 1": takesItsRows("listOrganizations"),
  "domain/workspace/workspace-queries.ts permitPage 2": takesItsRows("listWorkspaces"),
  "domain/programs/program-requests.ts if 12":
    "A code of a device has neither an address nor a challenge, so that the proof fails that the next condition takes.",
  "domain/programs/token-exchange.ts if 6": "Without a rule no owner is read, and the next operand refuses.",
  "domain/programs/token-exchange.ts if 8":
    "A trust rule is never changed, only deleted, and a deleted one is not found: what was covered before still is.",
  "domain/programs/token-exchange.ts covers 2":
    "A trust rule is never changed, only deleted, and a deleted one is not found: what was covered before still is.",
  "domain/programs/token-exchange.ts allow 1":
    "What is no text has no length, so that the next operand refuses it, or an error that is caught there.",
  "domain/programs/program-requests.ts if 18": isAskedBy("program-requests.test.ts"),
  "domain/search/search-queries.ts scopeOf 1": isAskedBy("scoped-callers.test.ts"),
  "domain/run/inbox-queries.ts permitOrNull 1": takesItsRows("readInbox"),
  "domain/run/inbox-queries.ts scopeOf 1": isAskedBy("scoped-callers.test.ts"),
  "domain/run/inbox-queries.ts scopeOf 2": isAskedBy("scoped-callers.test.ts"),
  "domain/run/inbox-queries.ts scopeOf 3": isAskedBy("scoped-callers.test.ts"),
  "http/programs/authorize-page.ts if 4": "Without a person no form is opened, and the next operand refuses.",
  "http/programs/device-page.ts if 8": "Without a code no request is looked for, and the operand before refuses.",
  "domain/external-check/check-command.ts authorize 1": isAskedTwice("commands about external checks"),
  "domain/external-check/create-external-check.ts authorize 1": isAskedTwice("createExternalCheck"),
  "testProbe WORKSPACE_UPDATE": isAskedTwice("testProbe"),
  "domain/people/named-team.ts can 1": isAskedBy("named-teams.test.ts"),
  "domain/run/approval-refusal.ts can 2": isAskedBy("overrides.test.ts"),
  "domain/policy/policy-queries.ts scopeOf 1": isAskedBy("version-evaluations.test.ts"),
  "domain/policy/policy-queries.ts scopeOf 2": isAskedBy("version-evaluations.test.ts"),
  "domain/policy/policy-queries.ts permitPage 1": takesItsRows("listEvaluationsOfVersion"),
  "domain/policy/policy-queries.ts scopeOf 3": isAskedBy("policy-simulation.test.ts"),
  "domain/policy/policy-queries.ts scopeOf 4": isAskedBy("policy-simulation.test.ts"),
  "domain/policy/policy-queries.ts scopeOf 5":
    "The rows of a page are checked again by the same permission, and the next page begins behind them.",
  "domain/policy/policy-queries.ts permitPage 2": takesItsRows("listWorkspacesOfPolicySet"),
  "domain/policy/policy-queries.ts permit 2": wasShown("an organization whose policy sets"),
  "domain/policy/policy-queries.ts permit 3": wasShown("a policy set whose versions"),
  "domain/verification/verification-queries.ts queryOrNull 2": wasShown("a run whose candidates"),
  "domain/policy/simulate-policy-set.ts scopeOf 1": isAskedBy("policy-simulation.test.ts"),
  "createRepository ORGANIZATION_UPDATE": isItsSight("createRepository"),
  "deleteGitHost ORGANIZATION_UPDATE": isItsSight("deleteGitHost"),
  "deleteInboundHook WEBHOOK_WRITE": isItsSight("deleteInboundHook"),
  "rotateInboundHookSecret WEBHOOK_WRITE": isItsSight("rotateInboundHookSecret"),
  "rotateHookSecret ORGANIZATION_UPDATE": isItsSight("rotateHookSecret"),
  "updateGitHost ORGANIZATION_UPDATE": isItsSight("updateGitHost"),
  "deletePasskey MEMBER_WRITE": isItsSight("deletePasskey"),
  "deleteWebhook WEBHOOK_WRITE": isItsSight("deleteWebhook"),
  "redeliverWebhook WEBHOOK_WRITE": isItsSight("redeliverWebhook"),
  "renamePasskey MEMBER_WRITE": isItsSight("renamePasskey"),
  "revokeRunnerToken RUNNER_POOL_WRITE": isItsSight("revokeRunnerToken"),
  "revokeSession MEMBER_WRITE": isItsSight("revokeSession"),
  "revokeSessions MEMBER_WRITE": isItsSight("revokeSessions"),
  "revokeToken TOKEN_WRITE": isItsSight("revokeToken"),
  "rotateToken TOKEN_WRITE": isItsSight("rotateToken"),
  "rotateWebhookSecret WEBHOOK_WRITE": isItsSight("rotateWebhookSecret"),
  "stopBulkOperation BULK_OTHERS": isItsSight("stopBulkOperation"),
  "testWebhook WEBHOOK_WRITE": isItsSight("testWebhook"),
  "updateToken TOKEN_WRITE": isItsSight("updateToken"),
  "updateInboundHook WEBHOOK_WRITE": isItsSight("updateInboundHook"),
  "updateWebhook WEBHOOK_WRITE": isItsSight("updateWebhook"),
};

function takesItsRows(query: string): string {
  return `The statement of ${query} takes only rows in the scope of the same permission and the same rights. The rows are checked again because no row is shown without a check.`;
}

function isItsSight(command: string): string {
  return `${command} takes the permission that shows its subject: without it the subject was not found, at the same place and by the same rights.`;
}

function isAskedTwice(command: string): string {
  return `The permission of ${command} is asked before the request to the service, and again where it stores: a caller without it was refused before. One that loses it meanwhile is asked about from the beginning, under the rights of the commit.`;
}

function isAskedBy(file: string): string {
  return `The data of the walk does not reach it; ${file} asks who sees what.`;
}

function wasShown(what: string): string {
  return `It is reached from ${what} are listed, which was shown by the same permission.`;
}

import { isSessionSecret } from "../model/people/session.ts";
import { createReads } from "./access/reads.ts";
import { BULK_COMMANDS } from "./bulk/bulk-commands.ts";
import { createBulkQueries } from "./bulk/bulk-queries.ts";
import { CHANGESET_COMMANDS } from "./changeset/changeset-commands.ts";
import { createChangesetQueries } from "./changeset/changeset-queries.ts";
import { CHECK_COMMANDS } from "./external-check/check-commands.ts";
import { createCheckQueries } from "./external-check/check-queries.ts";
import { DEPENDENCY_COMMANDS } from "./dependency/dependency-commands.ts";
import { createDependencyQueries } from "./dependency/dependency-queries.ts";
import { DRIFT_COMMANDS } from "./drift/drift-commands.ts";
import { createDriftQueries } from "./drift/drift-queries.ts";
import { createJudgementQueries } from "./judgement/judgement-queries.ts";
import { createServerQueries } from "./figures/server-queries.ts";
import { createSearchQueries } from "./search/search-queries.ts";
import { bindCommands } from "./kit/bind-commands.ts";
import type { Deps } from "./kit/deps.ts";
import { createExceptionQueries } from "./judgement/exception-queries.ts";
import { JUDGEMENT_COMMANDS } from "./judgement/judgement-commands.ts";
import { createActivityQueries } from "./organization/activity-queries.ts";
import { ORGANIZATION_COMMANDS } from "./organization/organization-commands.ts";
import { createRejectedCommandQueries } from "./organization/rejected-command-queries.ts";
import { POLICY_COMMANDS } from "./policy/policy-commands.ts";
import { createPolicyQueries } from "./policy/policy-queries.ts";
import { createHealthQueries } from "./health/health-queries.ts";
import { PROBE_COMMANDS } from "./probe/probe-commands.ts";
import { createProbeQueries } from "./probe/probe-queries.ts";
import { PROMOTION_COMMANDS } from "./promotion/promotion-commands.ts";
import { createPromotionQueries } from "./promotion/promotion-queries.ts";
import { createRunResultQueries } from "./run/run-result-queries.ts";
import { createInboxQueries } from "./run/inbox-queries.ts";
import { createLogQueries } from "./run/log-queries.ts";
import { createRunQueries } from "./run/run-queries.ts";
import { createRunReads } from "./run/run-reads.ts";
import { createTokenQueries } from "./token/token-queries.ts";
import { createWorkspaceQueries } from "./workspace/workspace-queries.ts";
import { PEOPLE_COMMANDS } from "./people/people-commands.ts";
import { createPeopleQueries } from "./people/people-queries.ts";
import { TRUST_RULE_COMMANDS } from "./programs/trust-rule-commands.ts";
import { createTrustRuleQueries } from "./programs/trust-rule-queries.ts";
import { RECOVERED_STATE_COMMANDS } from "./recovered-state/recovered-state-commands.ts";
import { createRecoveredStateQueries } from "./recovered-state/recovered-state-queries.ts";
import { RUN_COMMANDS } from "./run/run-commands.ts";
import { GIT_HOST_COMMANDS } from "./repository/git-host-commands.ts";
import { REPOSITORY_COMMANDS } from "./repository/repository-commands.ts";
import { createRepositoryQueries } from "./repository/repository-queries.ts";
import { RUNNER_COMMANDS } from "./runner-pool/runner-commands.ts";
import { createRunnerQueries } from "./runner-pool/runner-queries.ts";
import { STATE_COMMANDS } from "./state/state-commands.ts";
import { createAuthenticateSession } from "./sign-in/authenticate-session.ts";
import { PASSKEY_COMMANDS } from "./sign-in/passkey-commands.ts";
import { createRunCommand } from "./sign-in/rights-in-use.ts";
import { INBOUND_HOOK_COMMANDS } from "./schedule/inbound-hook-commands.ts";
import { SCHEDULE_COMMANDS } from "./schedule/schedule-commands.ts";
import { createScheduleQueries } from "./schedule/schedule-queries.ts";
import { SESSION_COMMANDS } from "./sign-in/session-commands.ts";
import { createSessionQueries } from "./sign-in/session-queries.ts";
import { createStateQueries } from "./state/state-queries.ts";
import { type Authenticate, createAuthenticate } from "./token/authenticate.ts";
import { createAuthenticateRun } from "./token/authenticate-run.ts";
import { isRunToken } from "./token/credentials.ts";
import { TOKEN_COMMANDS } from "./token/token-commands.ts";
import { VERIFICATION_COMMANDS } from "./verification/verification-commands.ts";
import { createVerificationQueries } from "./verification/verification-queries.ts";
import { WEBHOOK_COMMANDS } from "./webhook/webhook-commands.ts";
import { createWebhookQueries } from "./webhook/webhook-queries.ts";
import { WORKSPACE_COMMANDS } from "./workspace/workspace-commands.ts";

/** All commands, by the names of their mutations. */
export const COMMANDS = {
  ...BULK_COMMANDS,
  ...GIT_HOST_COMMANDS,
  ...CHANGESET_COMMANDS,
  ...CHECK_COMMANDS,
  ...DEPENDENCY_COMMANDS,
  ...DRIFT_COMMANDS,
  ...JUDGEMENT_COMMANDS,
  ...ORGANIZATION_COMMANDS,
  ...PEOPLE_COMMANDS,
  ...POLICY_COMMANDS,
  ...PROBE_COMMANDS,
  ...PROMOTION_COMMANDS,
  ...RECOVERED_STATE_COMMANDS,
  ...REPOSITORY_COMMANDS,
  ...RUN_COMMANDS,
  ...RUNNER_COMMANDS,
  ...INBOUND_HOOK_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...PASSKEY_COMMANDS,
  ...SESSION_COMMANDS,
  ...STATE_COMMANDS,
  ...TOKEN_COMMANDS,
  ...TRUST_RULE_COMMANDS,
  ...VERIFICATION_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...WORKSPACE_COMMANDS,
};

/**
 * The use cases behind the API. Commands throw UserError for what a caller can correct, in the order NOT_FOUND,
 * FORBIDDEN, REAUTHENTICATION_REQUIRED, INVALID_INPUT, RUN_STATE_CONFLICT, STALE_PLAN. A refused command changes
 * nothing and is recorded.
 */
export type Domain = ReturnType<typeof createDomain>;

/**
 * All reads of the API. An object that does not exist or that the caller may not see is `null` or left out. Reads of a
 * list of keys return one entry per key, in order.
 */
export type Queries = ReturnType<typeof createQueries>;

/** Creates the queries of all resources; they share what is known about the places of objects. */
function createQueries(deps: Deps) {
  const reads = createReads(deps.database, deps.rights);
  const runReads = createRunReads(deps, reads);
  const runQueries = createRunQueries(deps, reads, runReads);
  return {
    ...createActivityQueries(deps, reads),
    ...createSearchQueries(deps),
    ...createServerQueries(deps),
    ...createBulkQueries(deps, reads),
    ...createChangesetQueries(deps),
    ...createCheckQueries(deps, reads),
    ...createDependencyQueries(deps, reads),
    ...createDriftQueries(deps, reads),
    ...createExceptionQueries(deps, reads),
    ...createJudgementQueries(deps, reads),
    ...createPeopleQueries(deps, reads),
    ...createPolicyQueries(deps, reads),
    ...createProbeQueries(deps, reads),
    ...createHealthQueries(deps, reads),
    ...createPromotionQueries(deps, reads),
    ...createRecoveredStateQueries(deps, reads),
    ...createRejectedCommandQueries(deps),
    ...createRepositoryQueries(deps, reads),
    ...createLogQueries(deps, reads),
    ...createInboxQueries(deps, reads, runQueries),
    ...runQueries,
    ...createRunResultQueries(runReads),
    ...createRunnerQueries(deps, reads),
    ...createScheduleQueries(deps, reads),
    ...createSessionQueries(deps),
    ...createStateQueries(deps, reads),
    ...createTokenQueries(deps, reads),
    ...createTrustRuleQueries(deps, reads),
    ...createVerificationQueries(deps, reads),
    ...createWebhookQueries(deps, reads),
    ...createWorkspaceQueries(deps, reads),
  };
}

/** Binds all use cases to their dependencies. */
export function createDomain(deps: Deps) {
  const commands = bindCommands(createRunCommand(deps), COMMANDS);
  return { ...createQueries(deps), ...commands, ...createAuthenticateAny(deps) };
}

/**
 * Creates the functions that return the caller of a token, of the secret of a session or of the token of a run; `null`
 * if it is not in force. `recheck` is for connections that stay open: a session is not in use by one.
 */
function createAuthenticateAny(deps: Deps): { authenticate: Authenticate; recheck: Authenticate } {
  const byToken = createAuthenticate(deps);
  const bySession = createAuthenticateSession(deps);
  const byRun = createAuthenticateRun(deps);
  const createAny =
    (ofSession: Authenticate): Authenticate =>
    (secret, addressOf) => {
      if (isSessionSecret(secret)) return ofSession(secret, addressOf);
      return isRunToken(secret) ? byRun(secret) : byToken(secret, addressOf);
    };
  return { authenticate: createAny(bySession.authenticate), recheck: createAny(bySession.recheck) };
}

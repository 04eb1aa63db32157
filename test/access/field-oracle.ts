/**
 * What each field of the API takes to be seen, written by hand and apart from the guards. A type has the permission that
 * shows its objects at their place; a field that needs another one is named with it.
 */
import type { Permission } from "../../src/model/people/permission-set.ts";

/** `SHOWN`: with whatever refers to it. */
export type Sight = Permission | "SHOWN";

/**
 * How a field differs from what an administrator sees: `SAME` shows it without the objects that are hidden. `OWN` is
 * about the caller, and is compared by a rule of its own or not at all. A permission empties the field without it.
 */
export type FieldRule = "SAME" | "OWN" | Permission;

export interface TypeLine {
  sight: Sight;
  fields: Readonly<Record<string, FieldRule>>;
}

/** `same`: the fields that are seen with the object. */
function type(sight: Sight, same: string, others: Readonly<Record<string, FieldRule>> = {}): TypeLine {
  const fields = Object.fromEntries(same.split(" ").map((name) => [name, "SAME" as const]));
  return { sight, fields: { ...fields, ...others } };
}

const EVENT = "actor at cursor run version";
const LIMITS =
  "applyApprovalSeconds applySeconds approvalTimeoutAction attemptsPerLeg forceStopAfterSeconds leaseSeconds planApprovalSeconds planSeconds queueSeconds silenceSeconds";

export const TYPES: Readonly<Record<string, TypeLine>> = {
  Organization: type(
    "ORGANIZATION_READ",
    "approvalRules concurrencyLimit effectiveLimits freezeWindows id limits maxRunsPerPush name retention settingsDigest slug projects roles workspaces webhooks changesets pipelines schedules externalChecks",
    {
      activity: "OWN",
      statistics: "OWN",
      gitHosts: "ORGANIZATION_UPDATE",
      inboundHooks: "WEBHOOK_WRITE",
      policySets: "POLICY_READ",
      repositories: "WORKSPACE_READ",
      grants: "MEMBER_READ",
      invitations: "MEMBER_READ",
      members: "MEMBER_READ",
      serviceAccounts: "MEMBER_READ",
      teams: "MEMBER_READ",
      runnerPools: "RUNNER_READ",
      runners: "RUNNER_READ",
      rejectedCommands: "OWN",
      viewerPermissions: "OWN",
    },
  ),
  OrganizationMember: type("SHOWN", "actor countsAloneAt disabledAt email invitedBy lastSeenAt"),
  Invitation: type("MEMBER_READ", "actor createdAt email expiresAt id invitedBy teams"),
  Team: type("MEMBER_READ", "createdAt externalIds grants id members name organization"),
  TeamMember: type("SHOWN", "actor addedAt lapsesAt source"),
  Role: type("ORGANIZATION_READ", "builtIn description id name organization permissions"),
  Grant: type(
    "MEMBER_READ",
    "actor createdAt expiresAt grantedBy id organization project reason role runsOf team workspace",
  ),
  Project: type("PROJECT_READ", "createdAt id isolated name organization parent path projects", {
    grants: "MEMBER_READ",
    viewerPermissions: "OWN",
  }),
  RunnerPool: type("RUNNER_READ", "createdAt description driftCheckLimit id name organization reserved runners", {
    tokens: "RUNNER_POOL_WRITE",
  }),
  RunnerToken: type("RUNNER_POOL_WRITE", "createdAt createdBy expiresAt id lastUsedAt name pool"),
  Runner: type(
    "RUNNER_READ",
    "drainRequestedAt engine id jobs labels lastSeenAt name pool revokedAt slots state version",
  ),
  RunnerJob: type("SHOWN", "leaseEndsAt leg run since"),
  Schedule: type(
    "RUN_READ",
    "action command createdAt cron enabled id label lastAt lastChangeset lastProblem misfire name nextAt organization owner pipeline spreadMinutes stage timeZone workspace",
  ),
  PolicySet: type(
    "POLICY_READ",
    "activeVersion createdAt description dialect enabled exceptions fixtures id judgesUnchanged language name needsWholePlan onError organization overriders selector shadowVersion versions",
    { workspaces: "WORKSPACE_READ" },
  ),
  PolicySetVersion: type(
    "POLICY_READ",
    "activatedAt activatedBy createdAt createdBy digest id message number policies policySet rules state testReport tests",
    // Of runs that the caller may read: see the tests of evaluations.
    { evaluationCounts: "OWN", evaluations: "OWN" },
  ),
  Policy: type("SHOWN", "level name point stopsAutoApply types"),
  PolicyOverriders: type("SHOWN", "approvers excludeRequester holds minimum teamIds teams"),
  PolicyProblem: type("SHOWN", "column file line message"),
  PolicyRule: type("SHOWN", "actions approvers each level message name point remediation stopsAutoApply types when"),
  DemandedApprovers: type("SHOWN", "approvers excludeRequester minimum name teamIds"),
  PolicyTest: type("SHOWN", "context document failed fixtureId name passed point"),
  ExpectedPolicyFailure: type("SHOWN", "addresses policy rule"),
  PolicyFixture: type("SHOWN", "createdAt createdBy id name planId"),
  PolicyTrial: type("SHOWN", "cpuMs dropped errors findings passed problems"),
  PolicyFinding: type(
    "SHOWN",
    "addresses addressesInferred demandsApprovals level message policy remediation rule stopsAutoApply trace",
  ),
  UnjudgedPolicy: type("SHOWN", "kind message policy"),
  PolicyTraceLine: type("SHOWN", "expression value"),
  PolicyEvaluationCounts: type("SHOWN", "errored failed passed total warned"),
  PolicySimulation: type("POLICY_READ", "createdAt createdBy finishedAt id policySet state version", {
    // Of runs that the caller may read: see the tests of simulations.
    total: "OWN",
    done: "OWN",
    newlyDenied: "OWN",
    newlyPassing: "OWN",
    errors: "OWN",
    unknown: "OWN",
    results: "OWN",
  }),
  // Of runs that the caller may read: see the tests of simulations.
  PolicySimulationResult: type("SHOWN", "after before error findings outcome planId planVersion run"),
  SimulatedFinding: type("SHOWN", "addresses demandsApprovals level message policy rule"),
  PolicyTestReport: type("SHOWN", "passed results"),
  PolicyTestResult: type("SHOWN", "name passed problems"),
  PolicyDenial: type("SHOWN", "level message policy policySet policySetName remediation rule status"),
  WorkspaceSelector: type("SHOWN", "excludedWorkspaceIds kinds labels names workspaceIds"),
  PromotionPipeline: type("RUN_READ", "createdAt id name organization owner stages"),
  PromotionStage: type("SHOWN", "automatic label name soakMinutes"),
  // Seen by callers who may read the runs of the whole organization: see the tests of promotion.
  Promotion: type("RUN_READ", "changeset dueAt pipeline problem stage state supersededBy"),
  PromotionCause: type("SHOWN", "commit from pipeline stage"),
  Drift: type("SHOWN", "foundAt outputs resources run"),
  DriftReport: type(
    "RUN_READ",
    "acknowledgement createdAt fingerprint id ignoredCount outputCount outputs reconciledBy resourceCount resources result run",
  ),
  DriftAcknowledgement: type("SHOWN", "at by note until"),
  DriftedResource: type("SHOWN", "address change paths plannedAction type"),
  DriftSettings: type("SHOWN", "ignore mode reconcile"),
  DriftIgnoreRule: type("SHOWN", "addressGlob attribute"),
  DriftCause: type("SHOWN", "report"),
  TestReport: type("SHOWN", "erroredCount failedCount leftResources passedCount results skippedCount status"),
  TestResult: type("SHOWN", "file problems run status"),
  ScanResult: type("SHOWN", "hasStartCommand shape status summary units"),
  CheckReport: type("SHOWN", "afterApply blocks count failedCount"),
  CheckBlock: type("SHOWN", "address problems status"),
  ResourceDrift: type("SHOWN", "action address after before paths relevant sensitivePaths type"),
  ExpiryCause: type("SHOWN", "expiresAt"),
  InboundHook: type("WEBHOOK_WRITE", "createdAt id kind lastAt lastProblem mapping name owner path workspaces"),
  InboundMapping: type("SHOWN", "key pointer"),
  InboundHookCause: type("SHOWN", "deliveryId hookId"),
  ScheduleCause: type("SHOWN", "dueAt schedule"),
  ExternalCheck: type(
    "ORGANIZATION_READ",
    "createdAt createdBy enabled estimatesCost id level name onError organization progressSeconds selector signed stages totalSeconds via",
    { url: "CHECK_WRITE" },
  ),
  ExternalCheckResult: type(
    "RUN_READ",
    "attemptError attempts check dueAt finishedAt id level message outcomes planVersion round run stage startedAt status url",
  ),
  CheckOutcome: type("SHOWN", "body description outcomeId tags url"),
  CheckTag: type("SHOWN", "labels name"),
  CheckLabel: type("SHOWN", "label level"),
  Webhook: type(
    "WEBHOOK_WRITE",
    "createdAt createdBy deliveries description enabled events goneAt id organization url workspace",
  ),
  WebhookDelivery: type("WEBHOOK_WRITE", "attempts createdAt finishedAt id nextAttemptAt payload state type webhook"),
  GitHost: type(
    "ORGANIZATION_UPDATE",
    "createdAt createdBy credential formerHookSecretUntil formerHookSecretUsedAt hookPath hookUrl id kind name organization url",
  ),
  RefChange: type(
    "WORKSPACE_READ",
    "after before changeset decidedAt decisions forced foundAt foundBy id ref repository",
  ),
  PushCause: type("SHOWN", "change commit ref"),
  TriggerDecision: type("RUN_READ", "changed inputs message outcome reason run workspace"),
  Repository: type(
    "WORKSPACE_READ",
    "changes createdAt defaultBranch hookHealth id name organization pollError polledAt pollSeconds url",
    {
      host: "ORGANIZATION_UPDATE",
    },
  ),
  WorkspaceSync: type("SHOWN", "applied head since state"),
  WorkspaceTrigger: type("SHOWN", "alsoReads branch ignores repository supersede tags"),
  WebhookAttempt: type("SHOWN", "at durationMs error number response statusCode"),

  Workspace: type(
    "WORKSPACE_READ",
    "approvalRules autoApply createdAt currentStateVersion dependencies dependents deployShape deployTarget deploymentStatus description driftSettings effectiveLimits expiresAt expiryProblem freezeWindows hasStartCommand healthHistory healthReason healthSince hooks id interruptApply labels limits lock lockScope name organization outputs paused planApproval project recoveredStates rollbackSettings runnerLabels runnerPool runtimeHealth settingsDigest source stateComparison stateLock stateVersions suggestedProbes sync tasksAllowed tests trigger variables verificationSettings webhooks externalChecks probes",
    {
      // Sets are of the organization as a whole: see the tests of policy sets.
      policySets: "OWN",
      currentRun: "RUN_READ",
      latestRun: "RUN_READ",
      queue: "RUN_READ",
      run: "RUN_READ",
      runs: "RUN_READ",
      schedules: "RUN_READ",
      checks: "RUN_READ",
      drift: "RUN_READ",
      driftReport: "RUN_READ",
      // UNKNOWN for others.
      driftStatus: "OWN",
      statistics: "RUN_READ",
      grants: "MEMBER_READ",
      grantsOfRuns: "MEMBER_READ",
      actions: "OWN",
      rejectedCommands: "OWN",
      viewerPermissions: "OWN",
    },
  ),
  WorkspaceActionAvailability: type("SHOWN", "action allowed code reason"),
  WorkspaceLock: type("SHOWN", "actor expiresAt note reason recoveredStates run since"),
  WorkspaceStatistics: type(
    "SHOWN",
    "appliedRuns appliedRunsPerDay applyDuration endedRuns failureRate from leadTime planDuration runs to waitAtGates",
  ),
  StateLock: type("SHOWN", "actor id operation run since who"),
  StateVersion: type(
    "WORKSPACE_READ",
    "actor createdAt digest id isCurrent lineage outputs readings resourceCount resources run serial size workspace",
  ),
  StateReading: type("SHOWN", "actor at credentialId way"),
  StateResources: type("SHOWN", "nodes pageInfo totalCount"),
  StateResource: type("SHOWN", "address dependsOn module name provider type"),
  StateComparison: type("SHOWN", "addedCount changedCount from outputs removedCount resources to"),
  StateResourceChange: type("SHOWN", "action attributes resource"),
  // Values take STATE_READ, and `omitted` says that they were left out.
  StateAttributeChange: type("SHOWN", "name sensitive", { after: "STATE_READ", before: "STATE_READ", omitted: "OWN" }),
  StateOutputChange: type("SHOWN", "action name sensitive", {
    after: "STATE_READ",
    before: "STATE_READ",
    omitted: "OWN",
  }),
  StateRollback: type("SHOWN", "fromSerial to"),
  RecoveredState: type(
    "WORKSPACE_READ",
    "decidedAt decidedBy decision digest id lineage note readings receivedAt resourceCount run runner serial size workspace",
  ),
  Variable: type("SHOWN", "category hcl key sensitive value"),
  Output: type("SHOWN", "name sensitive value"),
  DirectorySource: type("SHOWN", "path"),
  GitSource: type("SHOWN", "branch path repository url"),
  UploadSource: type("SHOWN", "digest"),
  Hook: type("SHOWN", "command purpose stage"),
  Probe: type(
    "SHOWN",
    "expect followRedirects from hasBody headerNames intervalSeconds kind health method name paths serverName target targets timeoutMs use weight",
  ),
  TargetHealth: type("SHOWN", "address failure lastSampleAt latencyMs number reason since status"),
  HealthBucket: type("SHOWN", "bad from held maxMs medianMs samples seconds"),
  SuggestedProbe: type("SHOWN", "from kind name outputs reason target use weight"),
  ProbeExpectation: type("SHOWN", "bodyContains certificateDays expression maxLatencyMs statuses"),
  TestedProbeTarget: type("SHOWN", "address failure latencyMs ok reason"),

  Run: type(
    "RUN_READ",
    "appliedAt applyAt approvalRequirements approvals blockers cancelRequested cause changeset checks command comments commitUrl createdAt createdBy createdByRun diagnostics dialects driftReport escalatedAt events expired externalChecks failure finishedAt forced hooks id inputs isTerminal kind leg log logExpiredAt logLineCount logMatches message metadata number origin outcome phases plan plans policyEvaluations policyWarnings priority progress reason recoveredStates refreshOnly refusedRequests replace requiredAction revision rollbackCandidate rollbackRisks rollsBackTo scheduledAt startedAt scan stateRollback status supersededBy targets tests timeline trigger verification version warnings workspace",
    { variables: "WORKSPACE_READ", upstreamInputs: "WORKSPACE_READ", actions: "OWN", rejectedCommands: "OWN" },
  ),
  DependencyCause: type("SHOWN", "changedOutputs upstream"),
  // Where some of its workspaces are hidden, it shows and counts the others: see the tests of changesets.
  Changeset: type(
    "RUN_READ",
    "appliedAt commit counts createdAt createdBy discardedAt heldAt id kind organization origin planDigest promotions refChange runs source state supersededBy title version waves",
  ),
  ChangesetCounts: type(
    "SHOWN",
    "additions applied changes destructions failed noChanges skipped unwanted waiting workspaces",
  ),
  WorkspaceDependency: type("SHOWN", "downstream outputs trigger upstream"),
  OutputReference: type("SHOWN", "category key output"),
  RunUpstreamInput: type("SHOWN", "assumed category key output run stateVersion"),
  ChangesetWave: type("SHOWN", "ended failed index total"),
  SourceInputs: type("SHOWN", "commit digest folders paths unresolved"),
  RunActionAvailability: type("SHOWN", "action allowed code reason"),
  Plan: type(
    "RUN_READ",
    "actionInvocationCount actionInvocations additions archiveExpiredAt changes comparison complete cost createdAt destructions diagnostics digest drift engine forgets hasChanges id imports index indexTruncated isCurrent moves outputChanges outputCounts replacements resourceChanges run targets text version",
  ),
  ResourceChange: type(
    "SHOWN",
    "action address after before createBeforeDestroy dependsOn deposed digest importId imported index module name previousAddress provider reason replacePaths sensitivePaths type unknownPaths",
  ),
  Diagnostic: type("SHOWN", "address detail file line logLine severity snippet summary"),
  PlannedChange: type("SHOWN", "action address digest imported module previousAddress type"),
  PlanComparison: type("SHOWN", "added altered removed sameCount"),
  OutputCounts: type("SHOWN", "additions changes destructions"),
  OutputChange: type("SHOWN", "action after before name sensitive unknown"),
  ActionInvocation: type("SHOWN", "address triggerAddress triggerEvent type"),
  CostEstimate: type("SHOWN", "currency monthlyAfter monthlyBefore monthlyDelta resources source unsupported"),
  ResourceCost: type("SHOWN", "address monthlyAfter monthlyBefore"),
  Engine: type("SHOWN", "name version"),
  Phase: type("RUN_READ", "attempt finishedAt firstLine id kind lastLine log runner startedAt status"),
  LogLine: type("SHOWN", "at attempt number phase spans stream text"),
  LogMatch: type("SHOWN", "line spans"),
  LogSpan: type("SHOWN", "bold color from to"),
  TextSpan: type("SHOWN", "from to"),
  Approval: type(
    "RUN_READ",
    "actor applyAt at comment counts countsAs decision gate id planDigest planVersion present stage",
  ),
  PolicyException: type(
    "POLICY_READ",
    "addressGlob decidedAt decidedBy decisionComment expiresAt id policy policySet reason requestedAt requestedBy revocationComment revokedAt revokedBy rule state ticket workspaces",
  ),
  PolicyEvaluation: type(
    "RUN_READ",
    "cpuMs createdAt droppedResults error finishedAt id passed planVersion point results run shadow status",
    // Sets are of the organization as a whole.
    { version: "OWN" },
  ),
  PolicyResult: type(
    "RUN_READ",
    "addresses addressesInferred id level message overriddenBy policy remediation rule status stopsAutoApply trace",
    { exception: "POLICY_READ" },
  ),
  Verification: type(
    "RUN_READ",
    "baselinePassed comment concludedBy endsBy finishedAt id probes reason run startedAt status",
  ),
  ProbeProgress: type("SHOWN", "attempts from lastAt lastFailure name needed passesInARow resolvedTarget weight"),
  VerificationSettings: type(
    "SHOWN",
    "afterDestroy failFastAfter initialDelaySeconds intervalSeconds onInconclusive successesInARow windowSeconds",
  ),
  RollbackCause: type("SHOWN", "mode"),
  RollbackSettings: type("SHOWN", "guards mode"),
  RollbackGuard: type("SHOWN", "name type"),
  ApprovalRequirement: type(
    "SHOWN",
    "commentRequired current distinctFromPlanApprover excludeRequester gate given machinesCount minimum missing reason requirePresence satisfied source stage",
    // Of the actors those whom the caller may read: see the test of parts.
    { eligibleActors: "OWN", viewerCanApprove: "OWN", viewerReason: "OWN" },
  ),
  RunComment: type("RUN_READ", "actor at id text"),
  Blocker: type("SHOWN", "estimatedStartAt kind message position run since until"),
  CancelRequest: type("SHOWN", "actor at forceAllowedAt"),
  Failure: type(
    "SHOWN",
    "appliedAddresses category cause code evidence likelyCause message reason resources retryable stage stateUncertain summary upstreams",
  ),
  FailedResource: type("SHOWN", "address reason summary"),
  FailureEntry: type("SHOWN", "category code fix meaning reason retryable sample stage"),
  Expired: type("SHOWN", "at limit"),
  RunProgress: type("SHOWN", "current currentCount done estimatedEndAt failed phase total updatedAt"),
  ResourceAtWork: type("SHOWN", "action address startedAt"),
  RunTimelineEntry: type("SHOWN", "actor at durationSeconds leg reason status"),
  RunDialects: type("SHOWN", "amnify forgecroft hcp smartDeploy spacelift"),
  ForgecroftRuns: type("SHOWN", "apply discarded plan planVersion unlock"),
  SmartDeployRun: type("SHOWN", "status success"),
  MetadataEntry: type("SHOWN", "key value"),
  RefusedRequest: type("SHOWN", "at code jobId message request runner"),
  RejectedCommand: type("SHOWN", "actor at code command credentialId message subject subjectId"),
  OrganizationActivity: type("SHOWN", "busyPlaces counts nextPlaceAt oldestAtGate places queueLength"),
  Server: type("SHOWN", "features publicUrl version"),
  SearchHit: type("SHOWN", "node title"),
  RunCount: type("SHOWN", "count outcome status"),
  DurationStatistics: type("SHOWN", "count medianSeconds p95Seconds totalSeconds"),
  ApprovalRule: type(
    "SHOWN",
    "approvers commentRequired distinctFromPlanApprover excludeRequester gate kinds machinesCount minimum name requirePresence teamIds teams when",
  ),
  RuleCondition: type("SHOWN", "labels minDestructions minReplacements monthlyCostDeltaOver resourceTypes triggers"),
  FreezeWindow: type("SHOWN", "cron durationMinutes name nextOpensAt open timeZone"),
  RunLimits: type("SHOWN", LIMITS),
  EffectiveRunLimits: type("SHOWN", LIMITS),
  Retention: type("SHOWN", "archiveDays eventDays logDays"),

  // Their own owner's, and of those who may stop them on the installation.
  BulkOperation: type(
    "BULK_OTHERS",
    "action comment createdAt createdBy finishedAt gate id results state",
    // Of its runs those that the caller may read: see the test of parts.
    { done: "OWN", failed: "OWN", succeeded: "OWN", total: "OWN" },
  ),
  BulkResult: type("SHOWN", "at code message newRun ok run runId"),
  Token: type(
    "TOKEN_WRITE",
    "actor createdAt expiresAt id idleEndsAt lastUsedAt lastUsedFrom name networks permissions revokedAt role rotatedAt scopeIds",
  ),
  // Wherever something refers to them; by their id for those who may read people (the query `node`).
  User: type("SHOWN", "id name"),
  MachineUser: type("SHOWN", "id name trustRules workspace"),
  TrustRule: type("MEMBER_READ", "audience claims createdAt id issuer maxSeconds serviceAccount subject"),
  ClaimCondition: type("SHOWN", "name value"),
  SystemActor: type("SHOWN", "id name"),

  Viewer: type("SHOWN", "", {
    actor: "OWN",
    credential: "OWN",
    explain: "OWN",
    inbox: "OWN",
    inboxCount: "OWN",
    isAdmin: "OWN",
    passkeys: "OWN",
    permissions: "OWN",
    rateLimit: "OWN",
    role: "OWN",
    session: "OWN",
    sessions: "OWN",
    tokens: "OWN",
  }),
  InboxItem: type("SHOWN", "", { reason: "OWN", requirement: "OWN", run: "OWN", since: "OWN" }),
  AccessExplanation: type("SHOWN", "allowed by limitedBy permission reason"),
  Passkey: type("SHOWN", "createdAt id lastUsedAt name"),
  Session: type("SHOWN", "actor address createdAt current expiresAt id lastSeenAt method presentAt userAgent"),
  RateLimit: type("SHOWN", "cost limit nodeCount remaining resetAt"),

  ApprovalRecorded: type("SHOWN", `${EVENT} approval`),
  CheckChanged: type("SHOWN", `${EVENT} result to`),
  PhaseChanged: type("SHOWN", `${EVENT} phase to`),
  PolicyEvaluated: type("SHOWN", `${EVENT} evaluation`),
  VerificationChanged: type("SHOWN", `${EVENT} to verification`),
  PlanReady: type("SHOWN", `${EVENT} plan`),
  RunChanged: type("SHOWN", `${EVENT} fields`),
  RunStatusChanged: type("SHOWN", `${EVENT} from reason to`),
  RunSnapshot: type("SHOWN", "cursor run"),
  HealthChanged: type("SHOWN", "at cursor previousHealth reason runtimeHealth workspace"),
  WorkspaceChanged: type("SHOWN", "actor at cursor fields workspace"),
  WorkspaceSnapshot: type("SHOWN", "cursor workspace"),
  LogBatch: type("SHOWN", "cursor lines"),
  InboxChanged: type("SHOWN", "at cursor"),
  StreamCheckpoint: type("SHOWN", "at cursor"),
  ChangesetChanged: type("SHOWN", "actor at change changeset changesetId cursor gate"),
  ChangesetSnapshot: type("SHOWN", "changeset cursor"),
  CursorExpired: type("SHOWN", "message"),
  InputIssue: type("SHOWN", "message path"),
  PageInfo: type("SHOWN", "endCursor hasNextPage hasPreviousPage startCursor"),
  Query: type(
    "SHOWN",
    "changeset cronTimes explainTrigger failureCatalogue grants node nodes organization organizations previewTriggers repository role run runs search server tryPolicy workspace",
    // One's own alone, and three that take a permission on the installation.
    { bulkOperations: "OWN", viewer: "OWN", actors: "MEMBER_READ", sessions: "MEMBER_WRITE", tokens: "TOKEN_WRITE" },
  ),
  Subscription: type("SHOWN", "changesetEvents inboxEvents organizationEvents runEvents runLog workspaceEvents"),
};

/** The permissions by which something is shown: each is the only one of a caller, and the only one that it lacks. */
export const SHOWING = [
  ...new Set(Object.values(TYPES).flatMap(({ sight, fields }) => [sight, ...Object.values(fields)])),
].filter((word): word is Permission => !["SHOWN", "SAME", "OWN"].includes(word));

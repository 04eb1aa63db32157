/** The bounds of policies. Durations in milliseconds, sizes in bytes. */
export const POLICY_LIMITS = {
  policySetsPerOrganization: 100,
  policyVersionsPerSet: 1000,
  /** Names and ids of workspaces in a selector. */
  selectorNames: 20,
  selectorIds: 500,
  /** People and teams that may override, or whose approval a rule demands. */
  policyApprovers: 50,
  /** Rules of a version, and the lengths of their parts. */
  policyRules: 200,
  policyExpressionLength: 8192,
  policyTypes: 200,
  policyModuleBytes: 32 * 1024 * 1024,
  policyTests: 100,
  /** Policies that a test expects to fail or to pass. */
  policyExpectations: 50,
  fixturesPerPolicySet: 100,
  /** The bounds of a judgement for a test, and for what an editor asks. */
  policyTrial: { cpuMsPerPolicy: 5000, cpuMs: 5000, memoryBytes: 512 * 1024 * 1024 },
  trialDocumentBytes: 1024 * 1024,
  contextBytes: 64 * 1024,
  trialsPerRequest: 2,
  /** Results, and evaluations with all of their failures, that one command names to override. */
  resultsOverridden: 5000,
  evaluationsOverridden: 100,
  /** The most findings of policies about a plan that are read: with more it could not be judged. */
  findingsRead: 20_000,
  /** The longest time of an exception, the time before its end at which it is announced, and those of a policy set. */
  exceptionMs: 90 * 24 * 60 * 60 * 1000,
  exceptionNoticeMs: 7 * 24 * 60 * 60 * 1000,
  exceptionsPerSet: 1000,
  workspacesPerException: 100,
  exceptionsByRound: 100,
  exceptionsMs: 60_000,
  /** Plans of a simulation, and simulations of an organization at a time. */
  simulatedPlans: 500,
  simulationsAtOnce: 3,
  /** Findings of a plan that a simulation stores, with the bounds of their parts. */
  simulatedFindings: 20,
  simulatedMessageLength: 500,
  simulatedAddresses: 20,
  /** A server has a simulation for this long, and judges plans for at most the second time before it stores the results. */
  simulationLeaseMs: 60_000,
  simulationStepMs: 2_000,
  simulationStepPlans: 20,
} as const;

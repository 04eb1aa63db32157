/** The bounds of policies. Durations in milliseconds, sizes in bytes. */
export const POLICY_LIMITS = {
  policySetsPerOrganization: 100,
  policyVersionsPerSet: 1000,
  /** Names and ids of workspaces in a selector. */
  selectorNames: 20,
  selectorIds: 500,
  /** People and teams that may override, or whose approval a rule demands. */
  policyApprovers: 50,
} as const;

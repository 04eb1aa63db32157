/** A part of the product with the tests that must notice its mutations. Both are globs from the root of the repository. */
export interface Part {
  name: string;
  sources: readonly string[];
  /** Those that are quick and notice much come first. */
  tests: readonly string[];
  /** Whether the tests have a database, which takes some seconds to start. */
  hasDatabase: boolean;
}

/** A folder of the model, by the tests of the same folder. */
function model(folder: string, ...tests: string[]): Part {
  const sources = [`src/model/${folder}/**/*.ts`];
  return {
    name: `model/${folder}`,
    sources,
    tests: [`test/model/${folder}/**/*.test.ts`, ...tests],
    hasDatabase: false,
  };
}

/** Decisions of a layer with a database that need none themselves. */
const LIFECYCLE_DECISIONS =
  "src/domain/lifecycle/{admission-conditions,alarm,approval-digest,dispatch-changes,machine-input,quorum-input,stop-request,transition-changes,waiting-line}.ts";
const RIGHTS_DECISIONS = [
  "src/domain/access/{command,name-workspaces,presence,query,reads,record-rejection}.ts",
  "src/domain/token/{credentials,networks,secret,token-end}.ts",
];
/** The parts of a transition that policies, checks, verification, drift, dependencies and pushes add to it. */
const LIFECYCLE_ADDITIONS =
  "src/domain/lifecycle/{conditional-stages,enqueue-changeset-webhooks,enqueue-verdict-webhooks,follow-verification,open-after-apply,order-judgement,plan-findings,prepare-admission,read-drift,read-met-demands,rollback-failure,settle-changeset,settle-drift,store-policy-stages,supersede}.ts";
const LEASE_DECISIONS = "src/domain/lease/{limit-failure,lost-runner}.ts";

/** A file belongs to the first part that has it. */
export const PARTS: readonly Part[] = [
  model("admission"),
  model("approval"),
  model("bulk"),
  model("changeset"),
  model("check"),
  model("dependency"),
  // Limits are numbers alone: a test of each would repeat them.
  { ...model("health"), sources: ["src/model/health/**/*.ts", "!src/model/health/*-limits.ts"] },
  { ...model("kit"), sources: ["src/model/kit/**/*.ts", "!src/model/kit/*limits.ts"] },
  model("limit"),
  model("lifecycle", "test/model/run-machine-properties.test.ts"),
  model("log"),
  model("people"),
  model("plan"),
  { ...model("probe"), sources: ["src/model/probe/**/*.ts", "!src/model/probe/*-limits.ts"] },
  model("promotion"),
  model("repository", "test/domain/repository/hook-signature.test.ts"),
  // What was found, the fingerprints by which it is equal, the verdict, and what people decide about it.
  {
    name: "policies",
    sources: ["src/model/policy/**/*.ts", "!src/model/policy/*-limits.ts", "src/domain/policy/evaluation-results.ts"],
    tests: ["test/model/policy/**/*.test.ts", "test/domain/judgement/evaluation-results.test.ts"],
    hasDatabase: false,
  },
  model("run"),
  model("runner"),
  model("schedule"),
  model("source", "test/domain/inputs/read-inputs.test.ts"),
  model("state"),
  model("verification"),
  model("webhook"),
  model("workspace"),
  {
    name: "checks",
    sources: ["src/domain/access/{unchecked,known-places}.ts"],
    tests: ["test/domain/access/unchecked.test.ts"],
    hasDatabase: false,
  },
  {
    name: "rights/decisions",
    sources: RIGHTS_DECISIONS,
    tests: [
      "test/domain/access/{command,name-workspaces,reads}.test.ts",
      "test/domain/token/{secret,token-end,networks,credentials}.test.ts",
    ],
    hasDatabase: false,
  },
  {
    name: "programs",
    sources: ["src/domain/programs/*.ts", "src/http/programs/*.ts"],
    tests: ["test/domain/programs/*.test.ts", "test/http/programs/*.test.ts"],
    hasDatabase: true,
  },
  {
    name: "rights",
    sources: [
      "src/domain/access/**/*.ts",
      "!src/domain/access/{unchecked,known-places}.ts",
      "src/domain/token/**/*.ts",
      ...RIGHTS_DECISIONS.map((decisions) => `!${decisions}`),
    ],
    tests: [
      "test/domain/token/{token-rules,token-life,run-tokens}.test.ts",
      "test/domain/tokens.test.ts",
      "test/access/least-roles.test.ts",
      "test/ingestion/{credentials,job-tokens}.test.ts",
      "test/domain/people/{admin-token,rights}.test.ts",
      "test/domain/access/scoped-callers.test.ts",
    ],
    hasDatabase: true,
  },
  {
    name: "lifecycle/decisions",
    sources: [LIFECYCLE_DECISIONS, "src/domain/rules/freeze.ts"],
    tests: ["test/domain/lifecycle/**/*.test.ts", "test/domain/freeze.test.ts"],
    hasDatabase: false,
  },
  // What sends requests, in memory, against servers on loopback; and what shares and keeps their results.
  { name: "probing", sources: ["src/probing/**/*.ts"], tests: ["test/probing/*.test.ts"], hasDatabase: false },
  {
    name: "health",
    sources: ["src/domain/health/**/*.ts"],
    tests: ["test/domain/health/*.test.ts"],
    hasDatabase: true,
  },
  {
    name: "leases/decisions",
    sources: [LEASE_DECISIONS],
    tests: ["test/domain/lease/**/*.test.ts"],
    hasDatabase: false,
  },
  {
    name: "lifecycle/additions",
    sources: [LIFECYCLE_ADDITIONS],
    tests: [
      "test/domain/lifecycle/rollback-failure.test.ts",
      "test/domain/{conditional-stages,hooks-before-apply,changeset/changeset-webhooks,dependency/outputs}.test.ts",
      "test/domain/judgement/{verdict-webhooks,retention,before-apply,policy-gate,met-demands,held-overrides,overrides}.test.ts",
      "test/domain/verification/{checks-after-apply,probes-after-apply,rollback}.test.ts",
      "test/domain/{repository/sync,repository/through-stages,changeset/changesets,access/scoped-callers}.test.ts",
      "test/domain/schedule/{drift,drift-reconciliation}.test.ts",
      "test/domain/{check/check-stages,check/check-costs,repository/decide,dependency/dependents}.test.ts",
    ],
    hasDatabase: true,
  },
  {
    name: "lifecycle",
    sources: ["src/domain/lifecycle/**/*.ts", `!${LIFECYCLE_DECISIONS}`, `!${LIFECYCLE_ADDITIONS}`],
    tests: [
      "test/domain/{happy-path,gates,approvals,auto-apply,queue,lock-scope,freeze,frozen-auto-apply}.test.ts",
      "test/access/run-actions.test.ts",
      "test/domain/{webhook/webhooks,judgement/verdict-webhooks,schedule/expiry,token/run-tokens,changeset/requesters}.test.ts",
      "test/domain/{transition-hints,blockers,conditional-stages,hooks-before-apply,state-rollback,offers}.test.ts",
      "test/domain/{rules-settings,runner-pools,kinds-at-work,kinds-guarded,retry-run,follow-up,replan-run}.test.ts",
      "test/domain/{take-back,stop-matrix,time-limits,races,lifecycle-model}.test.ts",
      "test/domain/{judgement/before-apply,judgement/judgement,creation/creation-policies}.test.ts",
      "test/domain/{health/probed-health,schedule/drift,schedule/known-drift,dependency/dependencies}.test.ts",
      "test/domain/{run-variables,cancel-run,job/findings}.test.ts",
    ],
    hasDatabase: true,
  },
  {
    name: "leases",
    sources: [
      "src/domain/lease/**/*.ts",
      `!${LEASE_DECISIONS}`,
      "src/domain/job/{renew-lease,leased-job,claim-job,end-at-claim}.ts",
    ],
    tests: [
      "test/domain/{claims,lease-round,time-limits,claim-races,order-of-claims,stop-matrix,runner-pools}.test.ts",
      "test/ingestion/{claims,leases,late-runners}.test.ts",
      "test/domain/{kinds-guarded,kinds-at-work}.test.ts",
    ],
    hasDatabase: true,
  },
  {
    name: "masking",
    sources: ["src/runner/mask/*.ts", "src/runner/plan/{plan-secrets,plan-marks}.ts"],
    tests: [
      "test/runner/mask/{masked-text,mask-command,text-views,secret-forms,pattern-set,address-book,masker}.test.ts",
      "test/runner/mask/{secret-finder,line-masker}.test.ts",
      "test/runner/plan/{plan-marks,plan-json,plan-secrets}.test.ts",
      "test/runner/mask/broken-values.test.ts",
    ],
    hasDatabase: false,
  },
  {
    name: "shown-outputs",
    sources: ["src/domain/state/shown-outputs.ts"],
    tests: ["test/domain/state/shown-outputs.test.ts"],
    hasDatabase: false,
  },
  {
    name: "shared-streams",
    sources: [
      "src/graphql/server/{shared-streams,operation-identity,document-facts,reader-*,stream-view,stream-source}.ts",
      "src/graphql/stream/{audience,feed-cursor}.ts",
      "src/graphql/kit/workspace-bound.ts",
    ],
    tests: [
      "test/graphql/server/{shared-streams*,operation-identity,stream-view}.test.ts",
      "test/graphql/{feed-cursor,stream-audience,kit/workspace-bound}.test.ts",
    ],
    hasDatabase: false,
  },
  {
    name: "tails",
    sources: ["src/bus/{tail,hub,token-watch}.ts", "src/http/kit/token-end.ts"],
    tests: ["test/bus/{tail,hub,token-watch}.test.ts", "test/http/kit/token-watches.test.ts"],
    hasDatabase: false,
  },
  {
    name: "streams",
    sources: ["src/bus/*.ts", "!src/bus/{tail,hub,token-watch}.ts"],
    tests: ["test/bus/{paced-watch,inbox-tails,feed-reads,run-tails,feed-tails,streams,feed-streams,hints}.test.ts"],
    hasDatabase: true,
  },
];

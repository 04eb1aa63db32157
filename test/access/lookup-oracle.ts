/**
 * Each argument of a query or a field that names an object, with a document that asks by it. Written by hand; an argument
 * of the schema without a line fails. `$value` is the name; `$workspaceId`, `$organizationId` and `$stateId` are something that the caller sees.
 */
import { absentOf } from "./walk-scene.ts";

/** What a name is: an id of one of these kinds, all ids at once, or a text about a hidden workspace. */
export type LookupKind = readonly string[] | "IDS" | "SLUG" | "NAME" | "PATH";

export interface Lookup {
  kinds: LookupKind;
  documents: readonly string[];
}

const byId = (kinds: readonly string[], ...documents: string[]): Lookup => ({
  kinds,
  documents: documents.map((document) => `query ($value: ID!) { ${document} }`),
});
const byText = (kinds: LookupKind, ...documents: string[]): Lookup => ({
  kinds,
  documents: documents.map((document) => `query ($value: String!) { ${document} }`),
});
/** Below a workspace that the caller sees. */
const below = (kinds: readonly string[], ...documents: string[]): Lookup => ({
  kinds,
  documents: documents.map(
    (document) => `query ($value: ID!, $workspaceId: ID!) { workspace(by: { id: $workspaceId }) { ${document} } }`,
  ),
});
/** Below a changeset that the caller sees. */
const ofChangeset = (kinds: readonly string[], document: string): Lookup => ({
  kinds,
  documents: [`query ($value: ID!, $changesetId: ID!) { changeset(id: $changesetId) { ${document} } }`],
});
const RUNS = "edges { node { id } }";

/** Metadata is searched by key and value at once. */
const BY_METADATA = byText(
  "NAME",
  `runs(first: 5, filter: { metadata: [{ key: "a", value: $value }] }) { totalCount ${RUNS} }`,
);

const BY_LABEL = byText("NAME", `runs(first: 5, filter: { labels: [$value] }) { totalCount ${RUNS} }`);

/** A trial that names a set which does not exist, or another one. */
const tried = (more: string, set = `"${absentOf("pset_")}"`): string =>
  `tryPolicy(input: { policySetId: ${set}, ${more} }) { passed }`;
const triedRule = (name: string, when = '"false"', message = '"b"'): string =>
  tried(`rules: [{ name: ${name}, level: ADVISORY, when: ${when}, message: ${message} }]`);

/** The searches of `RunFilter` among all runs; beside a list of a workspace or a changeset they ask the same. */
const BY_SEARCH = byText("NAME", `runs(first: 5, filter: { search: $value }) { totalCount ${RUNS} }`);
const BY_WORKSPACE = byText("NAME", `runs(first: 5, filter: { workspaceSearch: $value }) { totalCount ${RUNS} }`);
const BY_WORKSPACES = byId(["ws"], `runs(first: 5, filter: { workspaceIds: [$value] }) { totalCount ${RUNS} }`);
/** Runs show the people who made them, so an id of a person is none that is hidden; these machines made none. */
const BY_CREATORS = byId(["mch"], `runs(first: 5, filter: { createdByIds: [$value] }) { totalCount ${RUNS} }`);

/** Below the newest plan of a workspace that the caller sees. */
const ofPlan = (filter: string): Lookup => ({
  kinds: "NAME",
  documents: [
    `query ($value: String!, $workspaceId: ID!) { workspace(by: { id: $workspaceId }) {
      runs(first: 1) { edges { node { plan { resourceChanges(first: 1, ${filter}) { totalCount edges { node { address } } } } } } } } }`,
  ],
});

export const LOOKUPS: Readonly<Record<string, Lookup>> = {
  // Each kind has a loader, which `nodes` uses too.
  "Query.node(id)": byId(["org", "prj", "ws", "run", "sv", "tok", "grant"], "node(id: $value) { __typename id }"),
  "Query.nodes(ids)": {
    kinds: "IDS",
    documents: ["query ($values: [ID!]!) { nodes(ids: $values) { __typename id } }"],
  },
  "Query.run(id)": byId(
    ["run"],
    "run(id: $value) { id }",
    "run(id: $value) { id phases { id } plan { id } workspace { id } actions { action } blockers { kind } }",
  ),
  "Query.repository(id)": byId(["repo"], "repository(id: $value) { id }"),
  "Query.explainTrigger(refChangeId)": {
    kinds: ["refc"],
    documents: [
      `query ($value: ID!, $workspaceId: ID!) {
        explainTrigger(refChangeId: $value, workspaceId: $workspaceId) { outcome reason message } }`,
    ],
  },
  // It reads nothing that is stored.
  "Query.cronTimes(cron)": byText("NAME", 'cronTimes(cron: $value, timeZone: "UTC")'),
  "Query.cronTimes(timeZone)": byText("NAME", 'cronTimes(cron: "0 3 * * *", timeZone: $value)'),
  // No caller has an id of a change that it may not read.
  "Query.explainTrigger(workspaceId)": byId(
    ["ws"],
    `explainTrigger(refChangeId: "${absentOf("refc_")}", workspaceId: $value) { outcome reason message }`,
  ),
  "Query.previewTriggers(repositoryId)": byId(
    ["repo"],
    `previewTriggers(repositoryId: $value, ref: "refs/heads/main", commit: "${"a".repeat(40)}") { reason }`,
  ),
  // No hidden object has the name of a ref or of a commit: the names alone are compared.
  "Query.previewTriggers(ref)": byText(
    "NAME",
    `previewTriggers(repositoryId: "${absentOf("repo_")}", ref: $value, commit: "${"a".repeat(40)}") { reason }`,
  ),
  "Query.previewTriggers(commit)": byText(
    "NAME",
    `previewTriggers(repositoryId: "${absentOf("repo_")}", ref: "refs/heads/main", commit: $value) { reason }`,
  ),
  "Query.tryPolicy(input).policySetId": byId(["pset"], tried("", "$value")),
  // No version, plan, person or team is looked up before the set is seen.
  "Query.tryPolicy(input).versionId": byId(["pver"], tried("versionId: $value")),
  "Query.tryPolicy(input).planId": byId(["plan"], tried("planId: $value")),
  "Query.tryPolicy(input).document": byText("NAME", tried("document: $value")),
  "Query.tryPolicy(input).context": byText("NAME", tried("context: $value")),
  "Query.tryPolicy(input).rules.name": byText("NAME", triedRule("$value")),
  "Query.tryPolicy(input).rules.when": byText("NAME", triedRule('"a"', "$value")),
  "Query.tryPolicy(input).rules.message": byText("NAME", triedRule('"a"', '"false"', "$value")),
  "Query.tryPolicy(input).rules.remediation": byText("NAME", triedRule('"a"', '"false"', '"b", remediation: $value')),
  "Query.tryPolicy(input).rules.types": byText("NAME", triedRule('"a"', '"false"', '"b", types: [$value]')),
  "Query.tryPolicy(input).rules.approvers.name": byText(
    "NAME",
    triedRule('"a"', '"false"', '"b", approvers: { name: $value }'),
  ),
  "Query.tryPolicy(input).rules.approvers.approverIds": byId(
    ["usr", "mch"],
    triedRule('"a"', '"false"', '"b", approvers: { name: "c", approverIds: [$value] }'),
  ),
  "Query.tryPolicy(input).rules.approvers.teamIds": byId(
    ["team"],
    triedRule('"a"', '"false"', '"b", approvers: { name: "c", teamIds: [$value] }'),
  ),
  "Query.search(text)": byText("NAME", "search(text: $value) { title node { id } }"),
  "Query.role(id)": byId(["role"], "role(id: $value) { id }"),
  "Query.organization(slug)": byText("SLUG", "organization(slug: $value) { id teams { id } }"),
  "Query.workspace(by).id": byId(
    ["ws"],
    "workspace(by: { id: $value }) { id }",
    `workspace(by: { id: $value }) { id currentRun { id } runs(first: 5) { ${RUNS} } }`,
  ),
  "Query.workspace(by).path.organization": byText(
    "PATH",
    'workspace(by: { path: { organization: $value, name: "absent" } }) { id }',
  ),
  "Query.workspace(by).path.name": {
    kinds: "PATH",
    documents: [
      "query ($value: String!, $name: String!) { workspace(by: { path: { organization: $value, name: $name } }) { id } }",
    ],
  },
  "Query.runs(filter).workspaceId": byId(
    ["ws"],
    `runs(first: 5, filter: { workspaceId: $value }) { ${RUNS} }`,
    `runs(first: 5, filter: { workspaceId: $value }) { totalCount ${RUNS} }`,
    `runs(last: 5, filter: { workspaceId: $value, kinds: [DEPLOY] }) { ${RUNS} }`,
  ),
  "Query.runs(filter).organizationId": byId(
    ["org"],
    `runs(first: 5, filter: { organizationId: $value }) { ${RUNS} }`,
    `runs(last: 5, filter: { organizationId: $value }) { totalCount ${RUNS} }`,
  ),
  ...Object.fromEntries(
    ["Query", "Workspace", "Changeset"].flatMap((owner) => [
      [`${owner}.runs(filter).search`, BY_SEARCH],
      [`${owner}.runs(filter).workspaceSearch`, BY_WORKSPACE],
      [`${owner}.runs(filter).workspaceIds`, BY_WORKSPACES],
      [`${owner}.runs(filter).createdByIds`, BY_CREATORS],
    ]),
  ),
  "Run.logMatches(text)": {
    kinds: "NAME",
    documents: [
      `query ($value: String!, $workspaceId: ID!) { workspace(by: { id: $workspaceId }) {
        runs(first: 1) { edges { node { logMatches(text: $value, first: 1) { edges { node { line { number } } } } } } } } }`,
    ],
  },
  "Plan.resourceChanges(addresses)": ofPlan("addresses: [$value]"),
  "Plan.resourceChanges(module)": ofPlan("module: $value"),
  "Plan.resourceChanges(search)": ofPlan("search: $value"),
  "Plan.resourceChanges(type)": ofPlan("type: $value"),
  "Organization.workspaces(filter).search": byText(
    "NAME",
    "organizations(first: 5) { edges { node { workspaces(first: 5, filter: { search: $value }) { totalCount edges { node { id } } } } } }",
  ),
  "Query.runs(filter).metadata.key": BY_METADATA,
  "Query.runs(filter).metadata.value": BY_METADATA,
  "Query.runs(filter).labels": BY_LABEL,
  "Workspace.runs(filter).labels": BY_LABEL,
  "Organization.workspaces(labels)": byText(
    "NAME",
    "organizations(first: 5) { edges { node { workspaces(first: 5, labels: [$value]) { totalCount edges { node { id } } } } } }",
  ),
  "Query.actors(search)": byText("NAME", "actors(first: 5, search: $value) { edges { node { actor { id name } } } }"),
  "StateVersion.resources(search)": {
    kinds: "NAME",
    documents: [
      `query ($value: String!, $workspaceId: ID!) { workspace(by: { id: $workspaceId }) {
        currentStateVersion { resources(search: $value, first: 1) { totalCount nodes { address } } } } }`,
    ],
  },
  "Query.grants(organizationId)": byId(["org"], "grants(first: 5, organizationId: $value) { edges { node { id } } }"),
  "Query.tokens(organizationId)": byId(["org"], "tokens(first: 5, organizationId: $value) { edges { node { id } } }"),
  "Query.sessions(userId)": byId(["usr"], "sessions(first: 5, userId: $value) { edges { node { id } } }"),
  "Organization.workspaces(search)": byText(
    "NAME",
    "organizations(first: 5) { edges { node { workspaces(first: 5, search: $value) { totalCount edges { node { id } } } } } }",
  ),
  "Viewer.explain(subjectId)": byId(
    ["org", "prj", "ws"],
    "viewer { explain(permission: RUN_READ, subjectId: $value) { allowed reason } }",
  ),
  "Viewer.explain(actorId)": {
    kinds: ["usr", "mch"],
    documents: [
      "query ($value: ID!) { viewer { explain(permission: RUN_READ, actorId: $value) { allowed reason } } }",
      `query ($value: ID!, $workspaceId: ID!) {
        viewer { explain(permission: RUN_READ, subjectId: $workspaceId, actorId: $value) { allowed reason } } }`,
      `query ($value: ID!, $organizationId: ID!) {
        viewer { explain(permission: RUN_READ, subjectId: $organizationId, actorId: $value) { allowed reason } } }`,
    ],
  },
  // Both kinds of runs are those of the workspace that is shown; another one is bad input.
  "Workspace.runs(filter).workspaceId": below(["ws"], `runs(first: 5, filter: { workspaceId: $value }) { ${RUNS} }`),
  "Workspace.runs(filter).organizationId": below(
    ["org"],
    `runs(first: 5, filter: { organizationId: $value }) { ${RUNS} }`,
  ),
  "Workspace.runs(filter).metadata.key": BY_METADATA,
  "Workspace.runs(filter).metadata.value": BY_METADATA,
  "Query.changeset(id)": byId(["cs"], "changeset(id: $value) { id counts { workspaces } }"),
  "Changeset.runs(filter).workspaceId": ofChangeset(
    ["ws"],
    `runs(first: 5, filter: { workspaceId: $value }) { ${RUNS} }`,
  ),
  "Changeset.runs(filter).organizationId": ofChangeset(
    ["org"],
    `runs(first: 5, filter: { organizationId: $value }) { ${RUNS} }`,
  ),
  "Changeset.runs(filter).metadata.key": BY_METADATA,
  "Changeset.runs(filter).metadata.value": BY_METADATA,
  "Changeset.runs(filter).labels": BY_LABEL,
  // No hidden object has the name of a ref: the names alone are compared.
  "Repository.changes(ref)": byText(
    "NAME",
    "organizations(first: 5) { edges { node { repositories { changes(first: 5, ref: $value) { edges { node { id } } } } } } }",
  ),
  "Workspace.healthHistory(probe)": {
    kinds: "NAME",
    documents: [
      `query ($value: String!, $workspaceId: ID!) { workspace(by: { id: $workspaceId }) {
        healthHistory(probe: $value, from: "2026-01-02T00:00:00Z", to: "2026-01-02T01:00:00Z") { samples } } }`,
    ],
  },
  "Workspace.stateComparison(from)": below(["sv"], "stateComparison(from: $value) { from { id } to { id } }"),
  "Workspace.stateComparison(to)": {
    kinds: ["sv"],
    documents: [
      `query ($value: ID!, $workspaceId: ID!, $stateId: ID!) { workspace(by: { id: $workspaceId }) {
        stateComparison(from: $stateId, to: $value) { from { id } to { id } } } }`,
    ],
  },
};

/** The kinds of the ids that a field of an input names, by the name of the field. */
export const KINDS_OF: Readonly<Record<string, readonly string[]>> = {
  actorId: ["mch", "usr"],
  approverIds: ["mch", "usr"],
  changesetId: ["cs"],
  checkId: ["chk"],
  deliveryId: ["dlv"],
  fixtureId: ["pfix"],
  evaluationIds: ["peval"],
  exceptionId: ["pexc"],
  reportId: ["drift"],
  gitHostId: ["ghost"],
  grantId: ["grant"],
  hookId: ["inh"],
  invitationId: ["inv"],
  operationId: ["bulk"],
  organizationId: ["org"],
  ownerId: ["mch", "usr"],
  parentId: ["prj"],
  passkeyId: ["pky"],
  pipelineId: ["pipe"],
  planId: ["plan"],
  planRunId: ["run"],
  policySetId: ["pset"],
  poolId: ["pool"],
  principalId: ["mch", "usr", "team", "ws"],
  projectId: ["prj"],
  recoveredStateId: ["rcv"],
  repositoryId: ["repo"],
  resultId: ["chkr"],
  resultIds: ["pres"],
  roleId: ["role"],
  runId: ["run"],
  runnerId: ["rnr"],
  runnerPoolId: ["pool"],
  scheduleId: ["sch"],
  scopeId: ["org", "prj", "ws"],
  scopeIds: ["org", "prj", "ws"],
  serviceAccountId: ["mch"],
  sessionId: ["sess"],
  simulationId: ["psim"],
  stateVersionId: ["sv"],
  teamId: ["team"],
  teamIds: ["team"],
  viaPoolId: ["pool"],
  toProjectId: ["prj"],
  tokenId: ["tok", "rtok"],
  trustRuleId: ["trust"],
  uploadId: ["upl"],
  upstreamId: ["ws"],
  excludedWorkspaceIds: ["ws"],
  userId: ["usr", "mch"],
  versionId: ["pver"],
  webhookId: ["hook"],
  workspaceId: ["ws"],
  createdByIds: ["mch", "usr"],
  workspaceIds: ["ws"],
};

/** Added to the example of a command to give an argument that the example does not have. */
export const BESIDE: Readonly<Record<string, object>> = {
  "createRun.planRunId": { kind: "APPLY" },
};

/** People have no place: whoever knows the id of one may add it to a team, or grant to it. */
export const OF_PEOPLE: readonly string[] = ["addTeamMember.actorId", "createGrant.principalId"];

/** Examples that do not succeed for an administrator of one organization, which is a machine user. */
export const REFUSED: Readonly<Record<string, string>> = {
  approveRun: "FORBIDDEN",
  decidePolicyException: "FORBIDDEN",
  overridePolicies: "FORBIDDEN",
  requestPolicyException: "FORBIDDEN",
  createOrganization: "FORBIDDEN",
  disableUser: "FORBIDDEN",
  enableUser: "FORBIDDEN",
  // Of another person.
  deletePasskey: "NOT_FOUND",
  renamePasskey: "NOT_FOUND",
  revokeSession: "NOT_FOUND",
  revokeSessions: "NOT_FOUND",
  stopBulkOperation: "NOT_FOUND",
  // The example was locked, or approved, by another one.
  unlockWorkspace: "WORKSPACE_LOCKED",
  withdrawApproval: "RUN_STATE_CONFLICT",
};

/** Objects around arguments, where an example has none. */
export const AROUND: Readonly<Record<string, unknown>> = {
  approvalRules: [{ name: "a", gate: "APPLY", minimum: 1 }],
  approvers: { name: "security" },
  rules: [{ name: "none", level: "ADVISORY", when: "false", message: "Nothing." }],
  tests: [{ name: "t", given: {}, expect: { passed: ["none"] } }],
};

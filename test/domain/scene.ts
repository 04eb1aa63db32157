/** A server with short ways to wherever a run can be: what brings it there is the API and the runner protocol alone. */
import { CompiledQuery } from "kysely";
import type { FailureReport } from "../../src/model/lifecycle/failure.ts";
import type { PlanContent } from "../../src/model/plan/plan.ts";
import type { RunKind } from "../../src/model/lifecycle/run-kind.ts";
import { type Api, createApi, type Data } from "../support/api.ts";
import { claim, FakeJob } from "../support/fake-runner.ts";
import { type InProcess, type InProcessOptions, startInProcess } from "../support/in-process.ts";

/** Places of a run: a status, with the leg where the first one is not meant. */
export type Place =
  | "QUEUED"
  | "READY"
  | "PREPARING"
  | "INITIALIZING"
  | "PLANNING"
  | "AWAITING_PLAN_APPROVAL"
  | "AWAITING_APPLY_APPROVAL"
  | "REPLAN_REQUESTED"
  | "PREPARING/REPLAN"
  | "INITIALIZING/REPLAN"
  | "PLANNING/REPLAN"
  | "CONFIRMED"
  | "PREPARING/APPLY"
  | "APPLYING"
  | "FINISHED"
  | "FAILED"
  | "REJECTED"
  | "DISCARDED"
  | "CANCELED"
  | "STOPPED";

export interface Spot {
  workspaceId: string;
  runId: string;
  /** The lease of whoever works on the run, or did last. */
  job: FakeJob;
}

export type Command =
  | "approveRun"
  | "withdrawApproval"
  | "commentOnRun"
  | "rejectRun"
  | "discardRun"
  | "cancelRun"
  | "replanRun"
  | "createRun"
  | "retryRun"
  | "prioritizeRun"
  | "promoteRun"
  | "rollbackRun"
  | "rollbackState"
  | "forceUnlockState"
  | "createOrganization"
  | "updateOrganization"
  | "createWorkspace"
  | "updateWorkspace"
  | "deleteWorkspace"
  | "lockWorkspace"
  | "setVariable"
  | "deleteVariable"
  | "unlockWorkspace"
  | "createToken"
  | "revokeToken";

export interface Scene extends AsyncDisposable {
  readonly server: InProcess;
  /** The admin's. */
  readonly api: Api;
  /**
   * Sends a command, as the admin or as somebody else; gives the member of the union that it answered with. Its run has its
   * columns and these parts.
   */
  send(command: Command, input: object, api?: Api, parts?: readonly Part[]): Promise<Data>;
  /** The same as the admin, where the answer does not matter but for its id. */
  quick(command: Command, input: object): Promise<string>;
  /** Reads fields of a run: the named ones, by default all that tests ask for. */
  run(id: string, ...fields: string[]): Promise<Data>;
  workspace(id: string): Promise<Data>;
  createWorkspace(input?: object): Promise<string>;
  createRun(workspaceId: string, input?: object): Promise<string>;
  /** A PLAN run with its plan, which is `plan` where something is said about it. */
  plan(workspaceId: string, input?: object, plan?: Partial<PlanContent>): Promise<string>;
  /** Claims until it gets this run; throws where it is not to be had. */
  claim(runId: string): Promise<FakeJob>;
  reach(place: Place, kind?: RunKind, workspace?: object): Promise<Spot>;
  /** An API with a new token. */
  login(role: string, input?: object): Promise<Api & { tokenId: string; actorId: string }>;
  /** An API with a token of a person who has signed in before. */
  person(role: string, input?: object): Promise<Api & { tokenId: string; actorId: string }>;
  rows(text: string, ...values: unknown[]): Promise<Data[]>;
}

/** What a run has of its own; the rest of it takes a read for each. */
const COLUMNS = `id number status leg kind outcome version forced reason requiredAction isTerminal trigger targets message
  startedAt finishedAt appliedAt refreshOnly revision replace command priority scheduledAt`;
/** What of a run takes another read, by its name. */
const PARTS = {
  createdBy: "createdBy { __typename id name }",
  plan: "plan { id version digest isCurrent targets }",
  plans: "plans { version isCurrent targets }",
  cancelRequested: "cancelRequested { at forceAllowedAt actor { id } }",
  failure: `failure { stage category code retryable summary message evidence appliedAddresses stateUncertain }`,
  blockers: "blockers { kind position message run { id } }",
  actions: "actions { action allowed code reason }",
  approvals: "approvals { counts gate stage decision comment planVersion planDigest actor { id } }",
  phases: "phases { kind attempt status }",
  workspace: "workspace { id }",
  origin: "origin { id }",
  metadata: "metadata { key value }",
  dialects: "dialects { forgecroft { planVersion } }",
  warnings: "warnings",
} as const;
type Part = keyof typeof PARTS;
const isPart = (name: string): name is Part => name in PARTS;
export const EVERY_PART: readonly Part[] = Object.keys(PARTS).filter(isPart);
const RUN = [COLUMNS, ...Object.values(PARTS)].join(" ");
const WORKSPACE = `id name description deploymentStatus source { ... on DirectorySource { path } }
  paused planApproval autoApply lock { reason note since expiresAt run { id } actor { id name } } stateLock { id who run { id } } currentRun { id }
  outputs { name value sensitive } variables { key value sensitive category hcl } runs(first: 1) { totalCount }`;
const ORGANIZATION = "organization { id slug name concurrencyLimit }";
const TOKEN = "token { id name role expiresAt actor { __typename id name } } secret";

const RUN_ERRORS = ["InvalidInputError", "RunStateConflictError", "StalePlanError"];
const CREATE_ERRORS = ["InvalidInputError", "IdempotencyConflictError", "StalePlanError"];
const FOLLOW_UP_ERRORS = ["InvalidInputError", "IdempotencyConflictError", "RunStateConflictError"];
const COMMANDS: Record<Command, { success: string; errors: string[] }> = {
  approveRun: { success: "run { ...Selected }", errors: RUN_ERRORS },
  withdrawApproval: { success: "run { ...Selected }", errors: ["InvalidInputError", "RunStateConflictError"] },
  commentOnRun: { success: "run { ...Selected } comment { id text actor { id } }", errors: ["InvalidInputError"] },
  rejectRun: { success: "run { ...Selected }", errors: RUN_ERRORS },
  discardRun: { success: "run { ...Selected }", errors: RUN_ERRORS },
  cancelRun: { success: "run { ...Selected }", errors: ["InvalidInputError", "RunStateConflictError"] },
  replanRun: { success: "run { ...Selected }", errors: RUN_ERRORS },
  createRun: { success: "created run { ...Selected }", errors: CREATE_ERRORS },
  createWorkspace: { success: `workspace { ${WORKSPACE} }`, errors: ["InvalidInputError"] },
  retryRun: { success: "run { ...Selected }", errors: RUN_ERRORS },
  prioritizeRun: { success: "run { ...Selected }", errors: ["InvalidInputError", "RunStateConflictError"] },
  promoteRun: { success: "created run { ...Selected }", errors: FOLLOW_UP_ERRORS },
  rollbackRun: { success: "created run { ...Selected }", errors: FOLLOW_UP_ERRORS },
  rollbackState: { success: "created run { ...Selected }", errors: ["InvalidInputError", "IdempotencyConflictError"] },
  forceUnlockState: {
    success: `workspace { ${WORKSPACE} }`,
    errors: ["InvalidInputError", "RunStateConflictError"],
  },
  createOrganization: { success: ORGANIZATION, errors: ["InvalidInputError"] },
  updateOrganization: { success: ORGANIZATION, errors: ["InvalidInputError"] },
  updateWorkspace: { success: `workspace { ${WORKSPACE} }`, errors: ["InvalidInputError"] },
  deleteWorkspace: {
    success: "deletedId",
    errors: ["InvalidInputError", "WorkspaceLockedError", "RunStateConflictError"],
  },
  lockWorkspace: { success: `workspace { ${WORKSPACE} }`, errors: ["InvalidInputError", "WorkspaceLockedError"] },
  deleteVariable: { success: `workspace { ${WORKSPACE} }`, errors: [] },
  setVariable: { success: `workspace { ${WORKSPACE} }`, errors: ["InvalidInputError"] },
  unlockWorkspace: { success: `workspace { ${WORKSPACE} }`, errors: ["InvalidInputError", "WorkspaceLockedError"] },
  createToken: { success: TOKEN, errors: ["InvalidInputError"] },
  revokeToken: { success: "revokedId", errors: [] },
};

function fieldsOf(error: string): string {
  if (error === "InvalidInputError") return "issues { path message }";
  if (error === "StalePlanError") return "seen current { id version } run { ...Selected }";
  return error === "WorkspaceLockedError" ? "lock { reason note actor { id } }" : "run { ...Selected }";
}

const SUBJECTS = ["workspace", "organization"];

function partsOf(command: Command): { type: string; subject: string } {
  return {
    type: command.charAt(0).toUpperCase() + command.slice(1),
    subject: SUBJECTS.find((subject) => command.toLowerCase().endsWith(subject)) ?? "run",
  };
}

function documentOf(command: Command, parts: readonly Part[]): string {
  const { success, errors } = COMMANDS[command];
  const { type } = partsOf(command);
  const document = `mutation ($input: ${type}Input!) { ${command}(input: $input) { __typename ... on ${type}Success { ${success} }
    ... on UserError { code message } ${errors.map((error) => `... on ${error} { ${fieldsOf(error)} }`).join(" ")} } }`;
  const selected = [COLUMNS, ...parts.map((part) => PARTS[part])].join(" ");
  return document.includes("...Selected") ? `${document} fragment Selected on Run { ${selected} }` : document;
}

/** Stands where nobody works on a run yet; whatever is sent with it goes nowhere. */
export const NO_JOB = new FakeJob("", JSON.parse('{ "id": "", "nextLine": 1 }'));

type Step = (scene: Scene, spot: Spot) => Promise<unknown>;
const claimStep: Step = async (scene, spot) => {
  spot.job = await scene.claim(spot.runId);
};
const approve =
  (gate: "PLAN" | "APPLY"): Step =>
  (scene, { runId }) =>
    scene.quick("approveRun", { runId, gate, planVersion: 1 });

/** How each place is reached from another one. */
const STEPS: Record<Exclude<Place, "QUEUED" | "READY">, [Place, Step]> = {
  PREPARING: ["READY", claimStep],
  INITIALIZING: ["PREPARING", (_, { job }) => job.message({ type: "prepared" })],
  PLANNING: ["INITIALIZING", (_, { job }) => job.message({ type: "initialized" })],
  AWAITING_PLAN_APPROVAL: ["PREPARING", (_, { job }) => job.plan()],
  AWAITING_APPLY_APPROVAL: ["AWAITING_PLAN_APPROVAL", approve("PLAN")],
  REPLAN_REQUESTED: ["AWAITING_PLAN_APPROVAL", (s, { runId }) => s.quick("replanRun", { runId, planVersion: 1 })],
  "PREPARING/REPLAN": ["REPLAN_REQUESTED", claimStep],
  "INITIALIZING/REPLAN": ["PREPARING/REPLAN", (_, { job }) => job.message({ type: "prepared" })],
  "PLANNING/REPLAN": ["INITIALIZING/REPLAN", (_, { job }) => job.message({ type: "initialized" })],
  CONFIRMED: ["AWAITING_APPLY_APPROVAL", approve("APPLY")],
  "PREPARING/APPLY": ["CONFIRMED", claimStep],
  APPLYING: ["PREPARING/APPLY", (_, { job }) => job.message({ type: "prepared" })],
  FINISHED: ["APPLYING", (_, { job }) => job.message({ type: "applied", appliedAddresses: [] })],
  FAILED: ["PLANNING", (_, { job }) => job.message({ type: "failed", failure: report("PLAN_FAILED") })],
  REJECTED: ["AWAITING_PLAN_APPROVAL", (s, { runId }) => s.quick("rejectRun", { runId, planVersion: 1 })],
  DISCARDED: ["AWAITING_PLAN_APPROVAL", (s, { runId }) => s.quick("discardRun", { runId })],
  CANCELED: ["READY", (s, { runId }) => s.quick("cancelRun", { runId })],
  STOPPED: [
    "PLANNING",
    async (s, { runId, job }) => {
      await s.quick("cancelRun", { runId });
      await job.message({ type: "stopped" });
    },
  ],
};
/** What a runner says about a failure. */
export function report(code: FailureReport["code"], more: Partial<FailureReport> = {}): FailureReport {
  return { code, summary: "It failed.", message: "Error: it failed", evidence: [], ...more };
}
export const PLACES = ["QUEUED", "READY", ...Object.keys(STEPS)].filter((place): place is Place => place !== "");

const CLAIMS = 30;

/** The organization's limit is out of the way, so that what one test leaves does not hold up the next. */
export async function openScene(limit = 1000, options: InProcessOptions = {}): Promise<Scene> {
  const server = await startInProcess(options);
  const { api, deps } = server;
  const path = await server.makeSource("source", { "main.tf": 'resource "terraform_data" "a" {}' });
  let count = 0;
  // Who claims takes what comes first. Claims go one by one, and what another run's needs is kept for it.
  let claiming: Promise<unknown> = Promise.resolve();
  const others = new Map<string, FakeJob>();
  const rows: Scene["rows"] = async (text, ...values) => {
    return (await deps.database.sql.executeQuery<Data>(CompiledQuery.raw(text, values))).rows;
  };
  await rows("update organization set concurrency_limit = $1", limit);
  const scene: Scene = {
    server,
    api,
    rows,
    async send(command, input, by = api, parts = []) {
      return (await by.ask(documentOf(command, parts), { input }))[command];
    },
    async quick(command, input) {
      const { subject, type } = partsOf(command);
      const query = `mutation ($input: ${type}Input!) { ${command}(input: $input) {
        ... on ${type}Success { ${subject} { id } } ... on UserError { code message } } }`;
      const answer = (await api.ask(query, { input }))[command];
      if (answer.code !== undefined) throw new Error(`${command}: ${answer.message}`);
      return answer[subject].id;
    },
    async run(id, ...fields) {
      const selected = fields.map((field) => (isPart(field) ? PARTS[field] : field)).join(" ") || RUN;
      return (await api.ask(`query ($id: ID!) { run(id: $id) { ${selected} } }`, { id })).run;
    },
    workspace: async (id) =>
      (await api.ask(`query ($id: ID!) { workspace(by: { id: $id }) { ${WORKSPACE} } }`, { id })).workspace,
    async createWorkspace(input = {}) {
      const made = { name: `w${++count}`, source: { directory: { path } }, ...input };
      return scene.quick("createWorkspace", made);
    },
    createRun: (workspaceId, input = {}) => scene.quick("createRun", { workspaceId, ...input }),
    async plan(workspaceId, input = {}, plan = {}) {
      const runId = await scene.createRun(workspaceId, { kind: "PLAN", ...input });
      await (await scene.claim(runId)).plan(plan);
      return runId;
    },
    claim(runId) {
      const found = claiming.then(async () => {
        for (let i = 0; i < CLAIMS && !others.has(runId); i++) {
          const job = await claim(server.url, server.runnerToken);
          if (job === null) break;
          others.set(job.job.run.id, job);
        }
        const job = others.get(runId);
        if (job === undefined) throw new Error(`${runId} is not to be claimed.`);
        others.delete(runId);
        return job;
      });
      claiming = found.catch(() => null);
      return found;
    },
    async reach(place, kind = "DEPLOY", workspace = {}) {
      const first = kind === "APPLY" ? "AWAITING_PLAN_APPROVAL" : "READY";
      if (place === "QUEUED" || place === first) {
        const workspaceId = await scene.createWorkspace(workspace);
        const input = kind === "APPLY" ? { kind, planRunId: await scene.plan(workspaceId) } : { kind };
        if (place === "QUEUED") await scene.createRun(workspaceId);
        return { workspaceId, runId: await scene.createRun(workspaceId, input), job: NO_JOB };
      }
      if (place === "READY") throw new Error("A run of kind APPLY is never READY.");
      const [before, step] = STEPS[place];
      const spot = await scene.reach(before, kind, workspace);
      await step(scene, spot);
      return spot;
    },
    async login(role, input = {}) {
      const { secret, token } = await scene.send("createToken", { name: `t${++count}`, role, ...input });
      return { ...createApi(server.url, secret), tokenId: token.id, actorId: token.actor.id };
    },
    async person(role, input = {}) {
      const user = await scene.login(role, { ...input, actor: "USER" });
      await rows("update actor set identified_by = 'PROVIDER' where id = $1", user.actorId);
      return user;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return scene;
}

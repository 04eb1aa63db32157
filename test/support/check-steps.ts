/** External checks as their administrators see them, and the work of a server on them. */
import type { Deps } from "../../src/domain/kit/deps.ts";
import { createCheckRounds } from "../../src/domain/external-check/check-round.ts";
import type { CheckTransport } from "../../src/domain/external-check/request-check.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { Api, Data } from "./api.ts";
import type { RunTaskService } from "./run-task-service.ts";

const CHECK = `externalCheck { id name url signed stages level onError estimatesCost progressSeconds totalSeconds enabled
  selector { names labels kinds workspaceIds excludedWorkspaceIds } createdBy { id } organization { id } }`;
const RESULT = `id stage status message url round attempts attemptError planVersion level dueAt finishedAt
  check { id name } run { id }`;
const COMMANDS = {
  createExternalCheck: CHECK,
  updateExternalCheck: CHECK,
  deleteExternalCheck: "deletedId",
  testExternalCheck: "ok statusCode problem",
  retryExternalCheck: `result { ${RESULT} }`,
};
type CheckCommand = keyof typeof COMMANDS;

/** Sends a command, and returns the member of its union. */
export async function sendCheckCommand(api: Api, command: CheckCommand, input: object): Promise<Data> {
  const type = command.charAt(0).toUpperCase() + command.slice(1);
  const hasIssues = command !== "deleteExternalCheck" && command !== "retryExternalCheck";
  const issues = hasIssues ? "... on InvalidInputError { issues { path message } }" : "";
  const answer = await api.ask(
    `mutation ($input: ${type}Input!) { ${command}(input: $input) { __typename
      ... on ${type}Success { ${COMMANDS[command]} } ... on UserError { code message } ${issues} } }`,
    { input },
  );
  return answer[command];
}

/** Creates a check of a service, and returns its id. */
export async function createCheck(api: Api, service: RunTaskService, input: object = {}): Promise<string> {
  const made = await sendCheckCommand(api, "createExternalCheck", {
    organizationId: DEFAULT_ORGANIZATION_ID,
    name: `check ${Math.random()}`,
    url: service.url,
    hmacKey: service.key === "" ? null : service.key,
    stages: ["PRE_PLAN"],
    level: "MANDATORY",
    selector: {},
    ...input,
  });
  if (made["externalCheck"] === undefined) throw new Error(JSON.stringify(made));
  return made["externalCheck"].id;
}

/** Returns the results of a run, oldest first. */
export async function resultsOf(api: Api, runId: string): Promise<Data[]> {
  const outcomes = "outcomes { outcomeId description body url tags { name labels { label level } } }";
  const query = `query ($id: ID!) { run(id: $id) { externalChecks { ${RESULT} ${outcomes} } } }`;
  return (await api.ask(query, { id: runId })).run.externalChecks;
}

/** The work of one server on checks, in steps. */
export interface CheckWork extends AsyncDisposable {
  /** Does all that is due, and waits for its end. Returns how much it was. */
  step(): Promise<number>;
  /** Begins what is due, and does not wait. */
  begin(): Promise<number>;
  /** How long it is until something is due. */
  waitMs(): Promise<number>;
  idle(): Promise<void>;
}

export function startCheckWork(deps: Deps, transport: Partial<CheckTransport> = {}): CheckWork {
  const whole = { allowed: deps.webhookAllow, limits: LIMITS.checkRequest, ...transport };
  const rounds = createCheckRounds(deps, whole, {
    onDone: () => undefined,
    onError: (error) => deps.reportError(error, "external checks"),
  });
  return {
    async step() {
      const begun = await rounds.begin();
      await rounds.idle();
      return begun;
    },
    begin: () => rounds.begin(),
    waitMs: () => rounds.waitMs(),
    idle: () => rounds.idle(),
    [Symbol.asyncDispose]: () => rounds[Symbol.asyncDispose](),
  };
}

/** Steps of tests about hosts of git repositories. */
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { Api, Data } from "./api.ts";

const FIELDS = {
  createGitHost: "gitHost { id kind name url credential hookPath hookUrl formerHookSecretUntil } hookSecret",
  updateGitHost: "gitHost { id name url credential }",
  rotateHookSecret: "gitHost { id formerHookSecretUntil } hookSecret",
  deleteGitHost: "deletedId",
  createRepository: "repository { id name url host { id } }",
  updateRepository: "repository { id name url }",
  deleteRepository: "deletedId",
} as const;
export type RepositoryCommand = keyof typeof FIELDS;

/** Sends a command, and returns the member of its union. */
export async function sendRepositoryCommand(api: Api, command: RepositoryCommand, input: object): Promise<Data> {
  const type = command.charAt(0).toUpperCase() + command.slice(1);
  const query = `mutation ($input: ${type}Input!) { result: ${command}(input: $input) { __typename
    ... on UserError { code message } ... on InvalidInputError { issues { path message } }
    ... on ${type}Success { ${FIELDS[command]} } } }`;
  return (await api.ask(query, { input })).result;
}

let count = 0;

/** Creates a host of the default organization. */
export async function createHost(api: Api, input: object = {}): Promise<Data> {
  const facts = { kind: "GITHUB", name: `host-${++count}`, url: "https://github.com" };
  const answer = await sendRepositoryCommand(api, "createGitHost", {
    organizationId: DEFAULT_ORGANIZATION_ID,
    ...facts,
    ...input,
  });
  if (answer.gitHost === undefined) throw new Error(JSON.stringify(answer));
  return answer;
}

/** Creates a repository of a host. */
export async function createRepository(api: Api, gitHostId: string, name = "acme/infrastructure"): Promise<Data> {
  const answer = await sendRepositoryCommand(api, "createRepository", { gitHostId, name });
  if (answer.repository === undefined) throw new Error(JSON.stringify(answer));
  return answer.repository;
}

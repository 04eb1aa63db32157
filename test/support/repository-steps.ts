/** Steps of tests about hosts of git repositories. */
import type { Deps } from "../../src/domain/kit/deps.ts";
import { createDecisions } from "../../src/domain/repository/decide.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { Scene } from "../domain/scene.ts";
import type { Api, Data } from "./api.ts";

const FIELDS = {
  createGitHost: "gitHost { id kind name url credential hookPath hookUrl formerHookSecretUntil } hookSecret",
  updateGitHost: "gitHost { id name url credential }",
  rotateHookSecret: "gitHost { id formerHookSecretUntil } hookSecret",
  deleteGitHost: "deletedId",
  createRepository: "repository { id name url host { id } }",
  updateRepository: "repository { id name url }",
  deleteRepository: "deletedId",
  lookAtRepository: "changes { id ref before after foundBy }",
} as const;
export type RepositoryCommand = keyof typeof FIELDS;

const ISSUES = "... on InvalidInputError { issues { path message } }";

/** Sends a command, and returns the member of its union. */
export async function sendRepositoryCommand(api: Api, command: RepositoryCommand, input: object): Promise<Data> {
  const type = command.charAt(0).toUpperCase() + command.slice(1);
  const query = `mutation ($input: ${type}Input!) { result: ${command}(input: $input) { __typename
    ... on UserError { code message } ${command === "lookAtRepository" ? "" : ISSUES}
    ... on ${type}Success { ${FIELDS[command]} } } }`;
  return (await api.ask(query, { input })).result;
}

/** A change of a repository, without a host. */
export async function insertRefChange(
  { server, rows }: Pick<Scene, "server" | "rows">,
  repositoryId: string,
  commit = "a".repeat(40),
): Promise<string> {
  const id = server.deps.newId("refChange");
  await rows(
    `insert into ref_change (id, repository_id, seq, ref, after, found_by, found_at, decided_at)
      select $1, $2, coalesce(max(seq), 0) + 1, 'refs/heads/main', $3, 'POLL', now(), now() from ref_change
      where repository_id = $2`,
    id,
    repositoryId,
    commit,
  );
  return id;
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

/** Creates a workspace of a folder of a repository, which follows a branch. */
export async function followFolder(
  api: Api,
  repositoryId: string,
  path: string,
  trigger: object = { branch: "main" },
): Promise<string> {
  const name = path.replaceAll(/[^a-zA-Z0-9]+/g, "-");
  const { createWorkspace } = await api.ask(
    `mutation ($input: CreateWorkspaceInput!) { createWorkspace(input: $input) {
      ... on CreateWorkspaceSuccess { workspace { id } } ... on UserError { message } } }`,
    { input: { name, source: { git: { repositoryId, path } }, trigger } },
  );
  if (createWorkspace.workspace === undefined) throw new Error(createWorkspace.message);
  return createWorkspace.workspace.id;
}

/** Decides all changes of refs that are due. */
export async function decideAll(deps: Deps): Promise<void> {
  await using decisions = createDecisions(deps);
  const failed = (error: unknown): never => {
    throw error;
  };
  while ((await decisions.begin(failed)) > 0) await decisions.idle();
}

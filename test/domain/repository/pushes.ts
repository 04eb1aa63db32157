/** Steps of tests about pushes: a repository that workspaces follow, and what follows a look at it. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { createLooks } from "../../../src/domain/repository/looks.ts";
import type { Data } from "../../support/api.ts";
import { TestRepository } from "../../support/git.ts";
import { createHost, createRepository, decideAll } from "../../support/repository-steps.ts";
import type { Scene } from "../scene.ts";

/** Two folders, of which the first uses a module beside it. */
const FILES = {
  "modules/net/main.tf": 'variable "x" {}\n',
  "one/main.tf": 'module "net" { source = "../modules/net" }\n',
  "two/main.tf": "",
  "README.md": "",
};

const failed = (error: unknown): never => {
  throw error;
};

export interface Followed {
  id: string;
  repository: TestRepository;
  one: string;
  two: string;
}

export interface Pushes extends AsyncDisposable {
  /** Reads all repositories that are due. */
  look(): Promise<void>;
  /** Reads them, and does what follows. */
  settle(): Promise<void>;
  /** A repository with a workspace for each folder, with these triggers. */
  follow(triggers?: Record<string, object>): Promise<Followed>;
  /** The changes of a repository, newest first. */
  changesOf(id: string, fields?: string): Promise<Data[]>;
  lastChange(id: string, fields?: string): Promise<Data>;
  runsOf(workspaceId: string, fields?: string): Promise<Data[]>;
}

/** `scene` must have a standing clock. */
export function openPushes(scene: Scene): Pushes {
  const { deps, sourceRoot } = scene.server;
  const looks = createLooks(deps);
  async function look(): Promise<void> {
    scene.server.advance(66_000);
    await looks.begin(failed);
    await looks.idle();
  }
  async function settle(): Promise<void> {
    await look();
    await decideAll(deps);
    await changesetRound(deps, new AbortController().signal);
  }
  async function changesOf(id: string, fields = ""): Promise<Data[]> {
    const query = `query ($id: ID!) { repository(id: $id) { changes(first: 20) { edges { node {
      id ref before after decidedAt changeset { id heldAt state } ${fields} } } } } }`;
    return (await scene.api.ask(query, { id })).repository.changes.edges.map(({ node }: Data) => node);
  }
  return {
    look,
    settle,
    changesOf,
    async follow(triggers = { one: { branch: "main" }, two: { branch: "main" } }) {
      const name = `r-${randomUUID()}`;
      const repository = new TestRepository(join(sourceRoot, name));
      repository.commit(FILES);
      const { gitHost } = await createHost(scene.api, { kind: "GIT", url: `file://${sourceRoot}` });
      const { id } = await createRepository(scene.api, gitHost.id, name);
      const workspaces: Record<string, string> = {};
      for (const [path, trigger] of Object.entries(triggers)) {
        workspaces[path] = await scene.createWorkspace({ source: { git: { repositoryId: id, path } }, trigger });
      }
      await settle();
      return { id, repository, one: workspaces["one"] ?? "", two: workspaces["two"] ?? "" };
    },
    async lastChange(id, fields) {
      const [change] = await changesOf(id, fields);
      if (change === undefined) throw new Error(`${id} has no change.`);
      return change;
    },
    async runsOf(workspaceId, fields = "") {
      const query = `query ($id: ID!) { workspace(by: { id: $id }) {
        runs(first: 50) { edges { node { id status revision ${fields} } } } } }`;
      const { workspace } = await scene.api.ask(query, { id: workspaceId });
      return workspace.runs.edges.map(({ node }: Data) => node);
    },
    [Symbol.asyncDispose]: () => looks[Symbol.asyncDispose](),
  };
}

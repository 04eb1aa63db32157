/** A git host over ssh: real servers of ssh and git, and a whole server of Holdpoint. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitForStatus } from "../support/api.ts";
import { waitUntil } from "../support/eventually.ts";
import { TestRepository } from "../support/git.ts";
import { createHost, createRepository, followFolder, sendRepositoryCommand } from "../support/repository-steps.ts";
import * as steps from "../support/run-steps.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { makeKey, type SshServer, startSshServer } from "./ssh-server.ts";

let root: string;
let ssh: SshServer;
let server: ServerProcess;
let repository: TestRepository;
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-ssh-")));
  repository = new TestRepository(join(root, "infra"));
  repository.commit({
    "modules/net/main.tf": 'output "name" {\n  value = "net"\n}\n',
    "live/a/main.tf": 'module "net" {\n  source = "../../modules/net"\n}\n',
    "live/b/main.tf": "",
  });
  ssh = await startSshServer(root);
  server = await startServerProcess({ env: { HOLDPOINT_GIT_ALLOW: "127.0.0.1" } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await ssh[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

async function repositoryWith(more: Record<string, string> = {}): Promise<string> {
  const facts = { kind: "GIT", url: `${ssh.url}${root}`, sshKey: ssh.key, knownHosts: ssh.knownHosts, ...more };
  const { gitHost } = await createHost(server.api, facts);
  return (await createRepository(server.api, gitHost.id, "infra")).id;
}
const look = (repositoryId: string) => sendRepositoryCommand(server.api, "lookAtRepository", { repositoryId });

async function pollErrorOf(id: string): Promise<string | null> {
  const query = "query ($id: ID!) { repository(id: $id) { pollError } }";
  return (await server.api.ask(query, { id })).repository.pollError;
}

/** Every line of a key but its first and last, which all keys have. */
function secretLines(key: string): string[] {
  return key.split("\n").filter((line) => line.length > 16 && !line.startsWith("-----"));
}

describe("a git host over ssh", () => {
  it("is read, and its pushes are planned from archives with what they read", { timeout: 120_000 }, async () => {
    const id = await repositoryWith();
    const a = await followFolder(server.api, id, "live/a");
    const b = await followFolder(server.api, id, "live/b");
    expect((await look(id)).changes).toEqual([]);
    const after = repository.commit({ "modules/net/main.tf": 'output "name" {\n  value = "other"\n}\n' });
    expect((await look(id)).changes).toMatchObject([{ ref: "refs/heads/main", after }]);
    const runsOf = async (workspaceId: string) => {
      const query = `query ($id: ID!) { workspace(by: { id: $id }) { runs(first: 5) { edges { node { id revision } } } } }`;
      return (await server.api.ask(query, { id: workspaceId })).workspace.runs.edges;
    };
    const edges = await waitUntil(async () => {
      const found = await runsOf(a);
      return found.length > 0 ? found : undefined;
    });
    expect(edges).toMatchObject([{ node: { revision: after } }]);
    // The engine finds the module beside the folder.
    await waitForStatus(server.api, edges[0].node.id, "FINISHED", "AWAITING_PLAN_APPROVAL");
    expect(await runsOf(b)).toEqual([]);
    expect(await pollErrorOf(id)).toBeNull();
  });

  it("may also be the address of a workspace with a key of its own", { timeout: 60_000 }, async () => {
    const workspace = await steps.createWorkspaceOf(server.api, {
      name: "own-key",
      source: { git: { url: `${ssh.url}${root}/infra`, branch: "main", path: "live/b" } },
    });
    const variables = { HOLDPOINT_GIT_SSH_KEY: ssh.key, HOLDPOINT_GIT_KNOWN_HOSTS: ssh.knownHosts };
    for (const [key, value] of Object.entries(variables)) {
      const variable = { workspaceId: workspace, category: "ENVIRONMENT", key, value, sensitive: true } as const;
      await steps.setVariable(server.api, variable);
    }
    const run = await steps.createRun(server.api, workspace);
    expect(await waitForStatus(server.api, run, "FINISHED", "AWAITING_PLAN_APPROVAL")).toBeTruthy();
  });
});

describe("a host that is not read", () => {
  it("has another key than the one that is known", async () => {
    const other = makeKey(root, "other-host-key");
    const knownHosts = `[127.0.0.1]:${ssh.port} ${other.publicKey}`;
    const id = await repositoryWith({ knownHosts });
    const answer = await look(id);
    expect(answer).toMatchObject({ code: "HOST_UNREACHABLE" });
    expect(answer.message).toMatch(/Host key verification failed/);
    expect(await pollErrorOf(id)).toBe(answer.message);
  });

  it("is not among those that are known", async () => {
    const id = await repositoryWith({ knownHosts: `git.example.com ${makeKey(root, "unknown-host-key").publicKey}` });
    expect((await look(id)).message).toMatch(/Host key verification failed/);
  });

  it("refuses the key, which no error and no log shows", async () => {
    const wrong = makeKey(root, "wrong-key");
    const id = await repositoryWith({ sshKey: wrong.key });
    const answer = await look(id);
    expect(answer).toMatchObject({ code: "HOST_UNREACHABLE" });
    expect(answer.message).toMatch(/Permission denied \(publickey\)/);
    expect(await pollErrorOf(id)).toBe(answer.message);
    const shown = [JSON.stringify(answer), server.output(), ssh.log()].join("\n");
    for (const key of [wrong.key, ssh.key]) {
      for (const line of secretLines(key)) expect(shown).not.toContain(line);
    }
    // Folders of the server mean nothing to people.
    expect(answer.message).not.toContain(server.dataDir);
  });

  it("does not have the repository", async () => {
    const { gitHost } = await createHost(server.api, {
      kind: "GIT",
      url: `${ssh.url}${root}`,
      sshKey: ssh.key,
      knownHosts: ssh.knownHosts,
    });
    const { id } = await createRepository(server.api, gitHost.id, "absent");
    expect((await look(id)).message).toMatch(/does not appear to be a git repository/);
  });

  it("gets a key that is none", async () => {
    const id = await repositoryWith({ sshKey: "-----BEGIN OPENSSH PRIVATE KEY-----\ncanary-of-a-broken-key\n" });
    const { message } = await look(id);
    expect(message).toMatch(/Permission denied|invalid format|error in libcrypto/);
    expect(message).not.toContain("canary");
  });
});

it("no process of ssh is left", async () => {
  await waitUntil(() => {
    const processes = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
    return !processes.split("\n").some((line) => line.includes("ssh ") && line.includes(server.dataDir));
  });
});

import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID, DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import { findHookDoor, findHostCredential } from "../../../src/persistence/repository/git-host-store.ts";
import type { Api, Data } from "../../support/api.ts";
import { APP_KEY } from "../../support/github.ts";
import {
  createHost,
  createRepository,
  type RepositoryCommand,
  sendRepositoryCommand,
} from "../../support/repository-steps.ts";
import { onWorkspace, rightsOfRole } from "../../support/rights.ts";
import { openScene, type Scene } from "../scene.ts";

const admin: ActorCaller = {
  type: "actor",
  credential: "TOKEN",
  credentialId: ADMIN_TOKEN_ID,
  actor: { id: ADMIN_ACTOR_ID, kind: "USER", name: "admin" },
  rights: rightsOfRole("ADMIN"),
  accessVersion: { version: 1, moves: 1 },
};
const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=\n-----END OPENSSH PRIVATE KEY-----";
const ED25519_KEY = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const KNOWN = "git.example.com ssh-ed25519 AAAA";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const send = (command: RepositoryCommand, input: object, api: Api = scene.api): Promise<Data> =>
  sendRepositoryCommand(api, command, input);
const issues = (answer: Data): string[] => answer.issues.map(({ path }: { path: string[] }) => path.join("."));
async function credentialOf(id: string) {
  const { database, cipher } = scene.server.deps;
  return (await findHostCredential(database, cipher, id)).credential;
}

describe("a git host", () => {
  it("is created with a credential that no answer and no row shows", async () => {
    const { gitHost, hookSecret } = await createHost(scene.api, { token: "canary-token" });
    expect(gitHost).toMatchObject({ kind: "GITHUB", credential: "TOKEN", formerHookSecretUntil: null });
    expect(gitHost.hookPath).toMatch(/^\/hooks\/[\w-]{22}$/);
    expect(hookSecret).toMatch(/^[\w-]{43}$/);
    expect(await credentialOf(gitHost.id)).toEqual({
      type: "TOKEN",
      username: "x-access-token",
      token: "canary-token",
    });
    const [row] = await scene.rows("select h::text as text from git_host h where id = $1", gitHost.id);
    expect(row.text).not.toContain("canary-token");
    expect(row.text).not.toContain(hookSecret);
  });

  it("has an app whose key no answer and no row shows", async () => {
    const { gitHost } = await createHost(scene.api, { appId: "4711", privateKey: APP_KEY });
    expect(gitHost).toMatchObject({ kind: "GITHUB", credential: "APP" });
    expect(await credentialOf(gitHost.id)).toEqual({ type: "APP", appId: "4711", privateKey: APP_KEY });
    const [row] = await scene.rows("select h::text as text from git_host h where id = $1", gitHost.id);
    expect(row.text).not.toContain(APP_KEY.split("\n")[1]);
    const removed = await send("updateGitHost", { gitHostId: gitHost.id, removeCredential: true, appId: "4712" });
    expect(issues(removed)).toEqual(["removeCredential", "privateKey"]);
  });

  it("has a key where git goes by ssh", async () => {
    const { gitHost } = await createHost(scene.api, {
      kind: "GIT",
      url: "ssh://git@git.example.com",
      sshKey: KEY,
      knownHosts: KNOWN,
    });
    expect(gitHost).toMatchObject({ credential: "SSH_KEY", hookPath: null, hookUrl: null });
    expect(await credentialOf(gitHost.id)).toEqual({ type: "SSH_KEY", key: `${KEY}\n`, knownHosts: `${KNOWN}\n` });
  });

  it.each([
    ["an address with a slash at its end", { url: "https://github.com/" }, ["url"]],
    ["an address with a password", { url: "https://a:b@github.com" }, ["url"]],
    ["a folder of a host that is none", { url: "file:///srv/git" }, ["url"]],
    ["a transport helper", { url: "ext::sh -c id" }, ["url"]],
    ["a key for https", { sshKey: KEY }, ["sshKey"]],
    ["a token for ssh", { url: "ssh://git@a", token: "t" }, ["token", "sshKey", "knownHosts"]],
    ["a token of two lines", { token: "a\nb" }, ["token"]],
    ["a user without a token", { username: "git" }, ["username"]],
    ["an app without its key", { appId: "4711" }, ["privateKey"]],
    ["a key without its app", { privateKey: APP_KEY }, ["appId"]],
    ["a key that is none", { appId: "4711", privateKey: "x" }, ["privateKey"]],
    ["a key of another kind", { appId: "4711", privateKey: ED25519_KEY }, ["privateKey"]],
    ["an app beside a token", { appId: "4711", privateKey: APP_KEY, token: "t" }, ["token"]],
    ["an app of GitLab", { kind: "GITLAB", appId: "4711", privateKey: APP_KEY }, ["appId"]],
    ["an app over ssh", { url: "ssh://git@github.com", appId: "4711", privateKey: APP_KEY }, ["appId"]],
    ["a short hook secret", { hookSecret: "secret" }, ["hookSecret"]],
    ["a name with blanks", { name: "my host" }, ["name"]],
  ])("is refused with %s", async (_words, input, fields) => {
    const organizationId = DEFAULT_ORGANIZATION_ID;
    const facts = { organizationId, kind: "GITHUB", name: "refused", url: "https://github.com" };
    const answer = await send("createGitHost", { ...facts, ...input });
    expect(answer).toMatchObject({ code: "INVALID_INPUT" });
    expect(issues(answer)).toEqual(fields);
  });

  it("has a name of its own", async () => {
    const { gitHost } = await createHost(scene.api);
    const { organizationId } = { organizationId: DEFAULT_ORGANIZATION_ID };
    const again = { organizationId, kind: "GIT", name: gitHost.name, url: "https://git.example.com" };
    expect(await send("createGitHost", again)).toMatchObject({ code: "NAME_TAKEN" });
  });

  it("does not send its credential to another site", async () => {
    const { gitHost } = await createHost(scene.api, { token: "canary" });
    const gitHostId = gitHost.id;
    const url = "https://evil.example.com";
    expect(issues(await send("updateGitHost", { gitHostId, url }))).toEqual(["url"]);
    expect(await send("updateGitHost", { gitHostId, url: "https://github.com/enterprise" })).toMatchObject({
      gitHost: { credential: "TOKEN" },
    });
    expect(await send("updateGitHost", { gitHostId, url, removeCredential: true })).toMatchObject({
      gitHost: { url, credential: "NONE" },
    });
    expect(await credentialOf(gitHostId)).toEqual({ type: "NONE" });
  });

  it("accepts two hook secrets for a day after a rotation, and one that leaked never again", async () => {
    const { gitHost, hookSecret } = await createHost(scene.api);
    const door = async (hours = 0) => {
      const { database, cipher, clock } = scene.server.deps;
      const at = new Date(clock().getTime() + hours * 3_600_000).toISOString();
      return findHookDoor(database, cipher, gitHost.hookPath.slice("/hooks/".length), at);
    };
    const rotated = await send("rotateHookSecret", { gitHostId: gitHost.id });
    expect(rotated.gitHost.formerHookSecretUntil).not.toBeNull();
    expect(await door()).toMatchObject({ secret: rotated.hookSecret, formerSecret: hookSecret });
    expect(await door(25)).toMatchObject({ secret: rotated.hookSecret, formerSecret: null });
    const revoked = await send("rotateHookSecret", { gitHostId: gitHost.id, revokeNow: true });
    expect(await door()).toMatchObject({ secret: revoked.hookSecret, formerSecret: null });
  });

  it("is deleted when it has no repository any more", async () => {
    const { gitHost } = await createHost(scene.api);
    const { id: repositoryId } = await createRepository(scene.api, gitHost.id);
    expect(await send("deleteGitHost", { gitHostId: gitHost.id })).toMatchObject({ code: "INVALID_INPUT" });
    expect(await send("deleteRepository", { repositoryId })).toEqual({
      __typename: "DeleteRepositorySuccess",
      deletedId: repositoryId,
    });
    expect(await send("deleteGitHost", { gitHostId: gitHost.id })).toMatchObject({ deletedId: gitHost.id });
  });

  it("is an administrator's", async () => {
    const writer = await scene.login("APPROVER");
    const { gitHost } = await createHost(scene.api);
    const repository = await createRepository(scene.api, gitHost.id);
    const organizationId = DEFAULT_ORGANIZATION_ID;
    const input = { organizationId, kind: "GIT", name: "mine", url: "https://git.example.com" };
    expect(await send("createGitHost", input, writer)).toMatchObject({ code: "FORBIDDEN" });
    expect(await send("updateGitHost", { gitHostId: gitHost.id, name: "x" }, writer)).toMatchObject({
      code: "FORBIDDEN",
    });
    const { organization } = await writer.ask(
      '{ organization(slug: "default") { gitHosts { id } repositories { id host { id } } } }',
    );
    expect(organization.gitHosts).toEqual([]);
    expect(organization.repositories).toContainEqual({ id: repository.id, host: null });
  });
});

describe("a repository", () => {
  it.each(["../etc", "acme/../x", "-x", "a b", "acme//x", "", "acme/x?y"])("cannot be named %s", async (name) => {
    const { gitHost } = await createHost(scene.api);
    const answer = await send("createRepository", { gitHostId: gitHost.id, name });
    expect(issues(answer)).toEqual(["name"]);
  });

  it("is the source of workspaces, which follow its address", async () => {
    const { gitHost } = await createHost(scene.api);
    const { id: repositoryId, url } = await createRepository(scene.api, gitHost.id);
    expect(url).toBe("https://github.com/acme/infrastructure.git");
    const source = { git: { repositoryId, path: "prod" } };
    const workspaceId = await scene.createWorkspace({ source, trigger: { branch: "main", tags: "v*" } });
    const read = async () =>
      (
        await scene.api.ask(
          `query ($id: ID!) { workspace(by: { id: $id }) { source { ... on GitSource { url branch path repository { id } } }
            trigger { repository { id } branch tags supersede alsoReads ignores } } }`,
          { id: workspaceId },
        )
      ).workspace;
    expect(await read()).toEqual({
      source: { url, branch: "main", path: "prod", repository: { id: repositoryId } },
      trigger: {
        repository: { id: repositoryId },
        branch: "main",
        tags: "v*",
        supersede: "EVERYTHING_UNAPPROVED",
        alsoReads: [],
        ignores: ["**/*.md", "**/LICENSE*", "**/.github/**", "**/CODEOWNERS"],
      },
    });
    expect(await send("deleteRepository", { repositoryId })).toMatchObject({ code: "INVALID_INPUT" });
    await send("updateRepository", { repositoryId, name: "acme/renamed" });
    expect((await read()).source.url).toBe("https://github.com/acme/renamed.git");
    await send("updateGitHost", { gitHostId: gitHost.id, url: "https://github.example.com" });
    expect((await read()).source.url).toBe("https://github.example.com/acme/renamed.git");
    await scene.quick("updateWorkspace", { workspaceId, trigger: { branch: null, supersede: "NOTHING" } });
    expect((await read()).trigger).toMatchObject({ branch: null, tags: "v*", supersede: "NOTHING" });
  });

  it("is named by callers alone who may read all that uses it", async () => {
    const { gitHost } = await createHost(scene.api);
    const { id: repositoryId } = await createRepository(scene.api, gitHost.id);
    const workspaceId = await scene.createWorkspace();
    const source = { git: { repositoryId, branch: "main", path: "." } };
    const { domain } = scene.server;
    const writer = { ...admin, rights: rightsOf([onWorkspace("WRITER", workspaceId)]) };
    const refused = domain.updateWorkspace(writer, { workspaceId, source });
    await expect(refused).rejects.toThrow("source.git.repositoryId: must be the id of a repository");
    expect(issues(await scene.send("updateWorkspace", { workspaceId, source: { git: { path: "." } } }))).toEqual([
      "source.git.url",
    ]);
  });

  it.each([
    ["a branch that is none", { branch: "a..b" }, "trigger.branch"],
    ["a regular expression that is not closed", { tags: "/(v/" }, "trigger.tags"],
    ["an empty pattern of tags", { tags: "" }, "trigger.tags"],
    ["a glob that leaves the repository", { alsoReads: ["../x"] }, "trigger.alsoReads.0"],
    ["too many globs", { ignores: Array.from({ length: 51 }, () => "a") }, "trigger.ignores"],
    ["nothing to trigger by", { supersede: null }, "trigger.supersede"],
    ["a branch, but no repository", { branch: "main" }, "trigger.branch"],
  ])("is not followed by %s", async (_words, trigger, field) => {
    const workspaceId = await scene.createWorkspace();
    expect(issues(await scene.send("updateWorkspace", { workspaceId, trigger }))).toEqual([field]);
  });
});

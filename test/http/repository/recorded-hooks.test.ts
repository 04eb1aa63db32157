/** Bodies that hosts have really sent: those about refs name their repository, and no other one is an error. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GitHostKind } from "../../../src/model/repository/git-host.ts";
import { openScene, type Scene } from "../../domain/scene.ts";
import type { Data } from "../../support/api.ts";
import { deliver, signedBody } from "../../support/hook-delivery.ts";
import { createHost, createRepository } from "../../support/repository-steps.ts";
import { walk } from "../../support/walk.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const REF_EVENTS = new Set(["push", "create", "delete"]);
const hints = (gitHostId: string) =>
  scene.rows("select event, remote_id from hint where git_host_id = $1 order by at, delivery_id", gitHostId);
const last = () => scene.server.hookResults.at(-1);

async function hostOf(kind: GitHostKind, name: string) {
  const { gitHost, hookSecret } = await createHost(scene.api, { kind });
  const { id } = await createRepository(scene.api, gitHost.id, name);
  return { gitHost, hookSecret, repositoryId: id };
}
const wanted = async (repositoryId: string) =>
  (await scene.rows("select wanted from repository_look where repository_id = $1", repositoryId))[0]?.wanted;

describe("all deliveries of GitHub that are known", () => {
  const file = fileURLToPath(import.meta.resolve("@octokit/webhooks-examples"));
  const events: { name: string; examples: Data[] }[] = JSON.parse(readFileSync(file, "utf8"));
  const deliveries = events.flatMap(({ name, examples }) => examples.map((body) => ({ name, body })));

  it("are accepted, and those by which refs move ask for a look of their repository", async () => {
    const { gitHost, hookSecret, repositoryId } = await hostOf("GITHUB", "Codertocat/Hello-World");
    expect(deliveries.length).toBeGreaterThan(300);
    const expected: Data[] = [];
    for (const [index, { name, body }] of deliveries.entries()) {
      const delivery = String(index).padStart(4, "0");
      const headers = { "x-github-event": name, "x-github-delivery": delivery };
      const signed = signedBody("GITHUB", hookSecret, Buffer.from(JSON.stringify(body)), headers);
      expect(await deliver(scene.server.url, gitHost.hookPath, signed)).toBe(202);
      const isOfRefs = REF_EVENTS.has(name);
      expect([name, last()]).toEqual([name, isOfRefs ? "ACCEPTED" : "IGNORED"]);
      if (isOfRefs) expected.push({ event: name, remote_id: String(body.repository.id) });
    }
    expect(expected).toHaveLength(16);
    expect(await hints(gitHost.id)).toEqual(expected);
    expect(await wanted(repositoryId)).toBe(expected.length);
  });

  it("are refused with another secret, whatever they are about", async () => {
    const { gitHost } = await hostOf("GITHUB", "Codertocat/Hello-World");
    for (const { name, body } of deliveries.slice(0, 15)) {
      const signed = signedBody("GITHUB", "another secret", Buffer.from(JSON.stringify(body)), {
        "x-github-event": name,
      });
      expect(await deliver(scene.server.url, gitHost.hookPath, signed)).toBe(401);
    }
    expect(await hints(gitHost.id)).toEqual([]);
    scene.server.advance(60_000);
  });
});

/** The headers by which a recorded body came, and its repository. */
const RECORDED: Record<string, { kind: GitHostKind; event: string; name: string; id: string | null }> = {
  "bitbucket-cloud.push": {
    kind: "BITBUCKET_CLOUD",
    event: "repo:push",
    name: "martinherren1984/publictestrepo",
    id: "{898477b2-a080-4089-b385-597a783db392}",
  },
  "bitbucket-cloud.pull-request": {
    kind: "BITBUCKET_CLOUD",
    event: "pullrequest:created",
    name: "user_name/repo_name",
    id: null,
  },
  "bitbucket-server.push": {
    kind: "BITBUCKET_SERVER",
    event: "repo:refs_changed",
    name: "scm/dev/deployment-automation",
    id: "1684",
  },
  "bitbucket-server.pull-request": {
    kind: "BITBUCKET_SERVER",
    event: "pr:opened",
    name: "scm/dev/deployment-automation",
    id: null,
  },
  "gitlab.push": { kind: "GITLAB", event: "Push Hook", name: "test/woodpecker", id: "2" },
  "gitlab.tag": { kind: "GITLAB", event: "Tag Push Hook", name: "test/woodpecker", id: "2" },
  "gitlab.merge-request": { kind: "GITLAB", event: "Merge Request Hook", name: "test/woodpecker", id: null },
  "gitlab.release": { kind: "GITLAB", event: "Release Hook", name: "anbratens-test/ci", id: null },
  ...ofGitea("GITEA"),
  ...ofGitea("FORGEJO"),
};

function ofGitea(kind: "FORGEJO" | "GITEA"): typeof RECORDED {
  const recorded = (event: string, name: string, id: string | null) => ({ kind, event, name, id });
  const prefix = kind.toLowerCase();
  return {
    [`${prefix}.push`]: recorded("push", "gordon/hello-world", "1"),
    [`${prefix}.push-branch`]: recorded("push", "meisam/woodpecktester", "50820"),
    [`${prefix}.push-many`]: recorded("push", "test-ci/multi-line-secrets", "6"),
    [`${prefix}.create`]: recorded("create", "gordon/hello-world", "12"),
    [`${prefix}.release`]: recorded("release", "anbraten/demo", null),
    [`${prefix}.pull-request`]: recorded("pull_request", "gordon/hello-world", null),
  };
}

const FOLDER = new URL("../../fixtures/hooks/", import.meta.url);
const EVENT_HEADERS: Record<string, string> = {
  BITBUCKET_CLOUD: "x-event-key",
  BITBUCKET_SERVER: "x-event-key",
  FORGEJO: "x-forgejo-event",
  GITEA: "x-gitea-event",
  GITLAB: "x-gitlab-event",
};

describe("a recorded delivery", () => {
  it("has a line here, each of them", () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
    expect(files.toSorted()).toEqual(
      Object.keys(RECORDED)
        .map((name) => `${name}.json`)
        .toSorted(),
    );
  });

  it.each(walk(Object.entries(RECORDED), 5))("%s", async (file, { kind, event, name, id }) => {
    const body = readFileSync(new URL(`${file}.json`, FOLDER));
    const { gitHost, hookSecret, repositoryId } = await hostOf(kind, name);
    const headers = { [EVENT_HEADERS[kind] ?? ""]: event };
    expect(await deliver(scene.server.url, gitHost.hookPath, signedBody(kind, hookSecret, body, headers))).toBe(202);
    expect(last()).toBe(id === null ? "IGNORED" : "ACCEPTED");
    expect(await hints(gitHost.id)).toEqual(id === null ? [] : [{ event, remote_id: id }]);
    expect(await wanted(repositoryId)).toBe(id === null ? 0 : 1);
    expect(await deliver(scene.server.url, gitHost.hookPath, signedBody(kind, "wrong", body, headers))).toBe(401);
    scene.server.advance(60_000);
  });
});

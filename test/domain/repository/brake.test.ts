/** A push that starts more runs than the organization allows waits for a person. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Data } from "../../support/api.ts";
import { openScene, type Scene } from "../scene.ts";
import { openPushes, type Pushes } from "./pushes.ts";

let scene: Scene;
let pushes: Pushes;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  pushes = openPushes(scene);
  await scene.api.ask(UPDATE, { input: { organizationId: DEFAULT_ORGANIZATION_ID, maxRunsPerPush: 1 } });
});
afterAll(async () => {
  await pushes[Symbol.asyncDispose]();
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});
beforeEach(() => scene.rows("update repository_look set next_at = '2999-01-01', wanted = done"));

const UPDATE = `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) {
  ... on UpdateOrganizationSuccess { organization { maxRunsPerPush } } ... on UserError { code } } }`;
const CONTINUE = `mutation ($input: ContinueChangesetInput!) { continueChangeset(input: $input) {
  ... on ContinueChangesetSuccess { changeset { heldAt } } ... on UserError { code } } }`;
const DECISIONS = "decisions { edges { node { workspace { id } outcome reason run { id } } } }";
const BOTH = { "one/main.tf": "# a", "two/main.tf": "# a" };

async function goOn(changesetId: string): Promise<void> {
  const answer = await scene.api.ask(CONTINUE, { input: { changesetId } });
  expect(answer.continueChangeset).toEqual({ changeset: { heldAt: null } });
  await changesetRound(scene.server.deps, new AbortController().signal);
}
const reasons = ({ decisions }: Data): string[] => decisions.edges.map(({ node }: Data) => node.reason);
const counts = async (...ids: string[]) => Promise.all(ids.map(async (id) => (await pushes.runsOf(id)).length));

describe("a push of more runs than are allowed", () => {
  it("waits, and is created when a person continues it", async () => {
    const { id, repository, one, two } = await pushes.follow();
    repository.git("checkout", "--quiet", "-b", "feature");
    const commit = repository.commit(BOTH);
    const previewed = await scene.api.ask(
      `query ($id: ID!, $commit: String!) {
        previewTriggers(repositoryId: $id, ref: "refs/heads/main", commit: $commit) { outcome reason } }`,
      { id, commit },
    );
    const waiting = { outcome: "WAITING_FOR_OK", reason: "TOO_MANY" };
    expect(previewed.previewTriggers).toEqual([waiting, waiting]);
    repository.git("checkout", "--quiet", "main");
    repository.git("merge", "--quiet", "--ff-only", "feature");
    await pushes.settle();
    const change = await pushes.lastChange(id, DECISIONS);
    expect(reasons(change)).toEqual(["TOO_MANY", "TOO_MANY"]);
    expect(change.decisions.edges[0].node).toMatchObject({ outcome: "WAITING_FOR_OK", run: null });
    expect(change.changeset).toMatchObject({ heldAt: expect.any(String) });
    expect(await counts(one, two)).toEqual([0, 0]);
    await goOn(change.changeset.id);
    expect(await counts(one, two)).toEqual([1, 1]);
    // What was continued is done: documents start nothing.
    repository.commit({ "README.md": "a" });
    await pushes.settle();
    expect(await counts(one, two)).toEqual([1, 1]);
  });

  it("is no push of as many as are allowed", async () => {
    const { id, repository, one, two } = await pushes.follow();
    repository.commit({ "two/main.tf": "# a" });
    await pushes.settle();
    expect(reasons(await pushes.lastChange(id, DECISIONS))).toEqual(["AFFECTED"]);
    expect(await counts(one, two)).toEqual([0, 1]);
  });

  it("does not wait if its message asks for no runs", async () => {
    const { id, repository, one, two } = await pushes.follow();
    repository.commit(BOTH);
    repository.gitWith("later [skip holdpoint]", "commit", "--quiet", "--amend", "--file=-");
    await pushes.settle();
    const change = await pushes.lastChange(id, DECISIONS);
    expect(reasons(change)).toEqual(["MESSAGE_SAYS_SKIP", "MESSAGE_SAYS_SKIP"]);
    expect(change.changeset).toMatchObject({ heldAt: null });
    expect(await counts(one, two)).toEqual([1, 1]);
  });
});

describe("a newer push", () => {
  it("takes the place of one that waits, so that an older commit is not continued", async () => {
    const { id, repository, one, two } = await pushes.follow();
    repository.commit(BOTH);
    await pushes.settle();
    const { changeset: old } = await pushes.lastChange(id);
    const commit = repository.commit({ "one/main.tf": "# b" });
    await pushes.settle();
    const [newer = {}, older = {}] = await pushes.changesOf(id, DECISIONS);
    // What the first would have changed is judged again.
    expect(reasons(newer)).toEqual(["TOO_MANY", "TOO_MANY"]);
    expect(older["changeset"]).toEqual({ id: old.id, heldAt: null, state: "DISCARDED" });
    await goOn(old.id);
    expect(await counts(one, two)).toEqual([0, 0]);
    await goOn(newer["changeset"].id);
    expect((await pushes.runsOf(two)).map(({ revision }) => revision)).toEqual([commit]);
  });

  it("leaves what waits where the workspace wants older runs to stay", async () => {
    const keep = { branch: "main", supersede: "NOTHING" };
    const { id, repository } = await pushes.follow({ one: keep, two: keep });
    repository.commit(BOTH);
    await pushes.settle();
    repository.commit({ "one/main.tf": "# b" });
    await pushes.settle();
    const [, older = {}] = await pushes.changesOf(id);
    expect(older["changeset"]).toMatchObject({ heldAt: expect.any(String) });
  });
});

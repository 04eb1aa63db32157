/** A chain of five workspaces whose outputs are variables of the next one, with a real engine. */
import { beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Data } from "../../support/api.ts";
import { createChain, linkConfiguration, runDependent, stateOf } from "../../support/engine-chain.ts";
import { waitUntil } from "../../support/eventually.ts";
import { type Holdpoint, PATIENCE_MS, type TestWorkspace } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

/** Opens a changeset, and waits for its end. */
async function runTogether(workspaces: readonly TestWorkspace[]): Promise<Data> {
  const input = { organizationId: DEFAULT_ORGANIZATION_ID, title: "All", workspaceIds: workspaces.map(({ id }) => id) };
  return runDependent(holdpoint.api, input, PATIENCE_MS);
}

/** Waits for the end of the changeset that an apply upstream started in a workspace. */
async function startedIn(workspace: TestWorkspace, known: number): Promise<Data> {
  let found: string[] = [];
  await waitUntil(async () => {
    const query = `query ($id: ID!) { workspace(by: { id: $id }) { runs(first: 100) { edges { node { trigger changeset { id } } } } } }`;
    const { runs } = (await holdpoint.api.ask(query, { id: workspace.id })).workspace;
    const started = runs.edges.filter(({ node }: Data) => node.trigger === "DEPENDENCY");
    found = started.map(({ node }: Data) => node.changeset.id);
    return found.length > known;
  }, PATIENCE_MS);
  return stateOf(holdpoint.api, found[0] ?? "", PATIENCE_MS);
}

const statusesOf = (changeset: Data, workspaces: readonly TestWorkspace[]): string[] =>
  workspaces.map(({ id }) => {
    const run = changeset.runs.edges.find(({ node }: Data) => node.workspace.id === id)?.node;
    return run?.outcome ?? run?.status;
  });

describe.concurrent("a chain of five workspaces", { timeout: 2 * PATIENCE_MS }, () => {
  it("passes outputs in order, skips what has not changed, and stops the branch of a failure alone", async () => {
    const chain = await createChain(holdpoint.api, (name, files) => holdpoint.workspace(name, files), "chain");
    const [one, two, three, four, five] = chain;
    if (!one || !two || !three || !four || !five) throw new Error("There are five.");

    const first = await runTogether(chain.toReversed());
    expect(statusesOf(first, chain)).toEqual(["APPLIED", "APPLIED", "APPLIED", "APPLIED", "APPLIED"]);
    const times = chain.map(({ id }): string => {
      return first.runs.edges.find(({ node }: Data) => node.workspace.id === id)?.node.appliedAt;
    });
    expect(times).toEqual(times.toSorted());
    expect(await five.output("value")).toBe("v1-2-3-4-5");

    // The third gives the same as before: those behind it are skipped.
    await three.write(linkConfiguration("three", { value: '"v1-2-3"' }));
    await three.finishAlone();
    await one.write(linkConfiguration("one", { value: '"v2"' }));
    await one.finishAlone();
    const second = await startedIn(two, 0);
    expect(statusesOf(second, [two, three, four, five])).toEqual(["APPLIED", "APPLIED", "SKIPPED", "SKIPPED"]);
    const skipped = second.runs.edges.find(({ node }: Data) => node.workspace.id === four.id)?.node;
    expect(skipped.reason).toBe("Nothing that it takes from workspaces upstream has changed: the output value.");

    // Without changes upstream, one whose own files have changed runs all the same.
    await two.write(linkConfiguration("two", { value: '"${var.value}-two"' }));
    const third = await runTogether([one, two]);
    expect(statusesOf(third, [one, two])).toEqual(["NO_CHANGES", "APPLIED"]);

    // What the second started, which is no member of that changeset.
    expect(statusesOf(await startedIn(three, 1), [three])).toEqual(["APPLIED"]);

    // The fifth is beside the branch that fails.
    await five.dependOn(one);
    await three.write(linkConfiguration("three", { value: '"${var.value}-3"', fails: true }));
    await one.write(linkConfiguration("one", { value: '"v3"' }));
    await one.finishAlone();
    const fourth = await startedIn(five, 2);
    expect(statusesOf(fourth, [two, three, four, five])).toEqual(["APPLIED", "FAILED", "FAILED", "APPLIED"]);
    expect(await five.output("value")).toBe("v3-5");
  });
});

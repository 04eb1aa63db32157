import { describe, expect, test, vi } from "vitest";

import { LIMITS } from "../../src/model/kit/limits.ts";
import { writeCursor } from "../../src/graphql/kit/cursor.ts";
import {
  FORCE_ALLOWED_AT,
  createFakeDomain,
  fakeActor,
  fakeId,
  fakeOrganization,
  fakePlan,
  fakeRun,
  fakeWorkspace,
} from "../support/fake-domain.ts";
import { createTestGraphql } from "../support/graphql.ts";
import { eitherWay } from "../support/two-ways.ts";

const runs = Array.from({ length: 30 }, (_, index) =>
  fakeRun(index + 1, { workspaceId: fakeId("ws", (index % 3) + 1) }),
);
const NO_CHANGES = { changes: [], truncated: false };
const content = {
  organizations: [fakeOrganization()],
  workspaces: [1, 2, 3].map((number) => fakeWorkspace(number)),
  runs,
  plans: runs.map((run) => fakePlan(run)),
};

function setup(given: Parameters<typeof createFakeDomain>[0] = content) {
  const fake = createFakeDomain(given);
  return { ...fake, ...createTestGraphql({ domain: fake.domain }) };
}

eitherWay(() => {
  describe("a list of runs", () => {
    test("asks once for each relation, however long it is", async () => {
      const { request, calls } = setup();
      const { data, errors } = await request(`{
      runs(first: 30) {
        edges { node {
          id number status kind isTerminal requiredAction warnings
          workspace { id name deploymentStatus currentRun { id } stateLock { id } outputs { name } variables { key }
            organization { slug } }
          createdBy { __typename name }
          plan { version isCurrent text run { number } }
          plans { id } phases { id } approvals { id } blockers { kind } actions { action }
          dialects { amnify spacelift hcp forgecroft { planVersion plan } smartDeploy { status success } }
        } }
        pageInfo { hasNextPage endCursor }
      }
    }`);
      expect(errors).toBeUndefined();
      expect(data).toMatchObject({
        runs: { pageInfo: { hasNextPage: false, endCursor: writeCursor("runs", fakeId("run", 30)) } },
      });
      const counts = Object.groupBy(calls, (name) => name);
      expect(Object.entries(counts).filter(([, asked]) => (asked?.length ?? 0) > 1)).toEqual([]);
      expect(new Set(calls)).toEqual(
        new Set(
          `actions actors approvalsOfRuns currentRuns deploymentStatuses listRuns newestPlans organizations outputs
        phasesOfRuns planTexts plansOfRuns reportedFolders runs stateLocks variables workspaces`.split(/\s+/),
        ),
      );
    });

    test("is counted only where that is asked for", async () => {
      const { request, calls } = setup();
      expect((await request("{ runs(first: 1) { totalCount } }")).data).toEqual({ runs: { totalCount: 30 } });
      await request("{ runs(first: 1) { pageInfo { hasNextPage } } }");
      expect(calls.filter((name) => name === "countRuns")).toHaveLength(1);
    });

    test("is read page by page, in both directions", async () => {
      const { request } = setup();
      const numbers = async (args: string): Promise<unknown> =>
        (await request(`{ runs(${args}) { edges { node { number } } pageInfo { hasNextPage hasPreviousPage } } }`))
          .data;
      const page = (shown: number[], hasNextPage: boolean, hasPreviousPage: boolean): unknown => ({
        runs: { edges: shown.map((number) => ({ node: { number } })), pageInfo: { hasNextPage, hasPreviousPage } },
      });
      const cursor = writeCursor("runs", fakeId("run", 2));
      expect(await numbers("first: 2")).toEqual(page([1, 2], true, false));
      expect(await numbers(`first: 2, after: "${cursor}"`)).toEqual(page([3, 4], true, true));
      expect(await numbers("last: 2")).toEqual(page([29, 30], false, true));
      expect(await numbers(`last: 2, before: "${cursor}"`)).toEqual(page([1], true, false));
      expect(await numbers("first: 0")).toEqual(page([], true, false));
    });

    test("is filtered, and says what it does not understand", async () => {
      const { request } = setup();
      const empty = await request("{ runs(filter: { statuses: [] }) { edges { cursor } } }");
      expect(empty.data).toEqual({ runs: { edges: [] } });
      const twice = await request(`{
      workspace(by: { id: "${fakeId("ws", 1)}" }) { runs(filter: { workspaceId: "${fakeId("ws", 2)}" }) { totalCount } }
    }`);
      expect(twice.errors?.[0]?.extensions).toMatchObject({
        code: "INVALID_INPUT",
        issues: [{ path: ["filter", "workspaceId"] }],
      });
      const foreign = await request(`{ runs(after: "${writeCursor("runs of ws_1", "run_1")}") { totalCount } }`);
      expect(foreign.errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["after"] }] });
    });
  });

  describe("a run", () => {
    const read = async (run: ReturnType<typeof fakeRun>, fields: string, more: object = {}): Promise<unknown> => {
      const plan = fakePlan(run);
      const { request } = setup({ workspaces: [fakeWorkspace()], runs: [run], plans: [plan], ...more });
      const { data, errors } = await request(`{ run(id: "${run.id}") { ${fields} } }`);
      expect(errors).toBeUndefined();
      return data?.["run"];
    };

    test.each([
      [{}, true],
      [{ status: "REPLAN_REQUESTED" as const, leg: "REPLAN" as const }, false],
      [{ status: "PLANNING" as const, leg: "REPLAN" as const }, false],
      [{ status: "AWAITING_APPLY_APPROVAL" as const, leg: "REPLAN" as const }, true],
    ])("has a current plan unless another is on its way: %o", async (more, isCurrent) => {
      expect(await read(fakeRun(1, more), "plan { isCurrent }")).toEqual({ plan: { isCurrent } });
    });

    test("has no current plan once the state moved, or a newer one exists", async () => {
      const run = fakeRun(1, { planVersion: 2 });
      const moved = { workspaces: [fakeWorkspace(1, { stateSerial: 1 })] };
      expect(await read(run, "plan { isCurrent }", moved)).toEqual({ plan: { isCurrent: false } });
      const replanned = { plans: [fakePlan(run, 1), fakePlan(run, 2)] };
      expect(await read(run, "plans { version isCurrent }", replanned)).toEqual({
        plans: [
          { version: 1, isCurrent: false },
          { version: 2, isCurrent: true },
        ],
      });
    });

    test("warns of what it destroys and of what it leaves out", async () => {
      const run = fakeRun(1, { kind: "DESTROY" });
      const plans = [fakePlan(run, 1, { destructions: 3, complete: false })];
      expect(await read(run, "warnings", { plans })).toEqual({
        warnings: [
          "This run destroys 3 resources.",
          "The plan is not complete: some changes were left out, and another plan is needed to converge.",
        ],
      });
    });

    test("says when it may be stopped by force, until it has ended", async () => {
      const cancelRequest = { actorId: fakeActor.id, at: "2026-11-20T16:07:25.447Z" };
      const fields = "cancelRequested { actor { id } at forceAllowedAt }";
      expect(await read(fakeRun(1, { status: "PLANNING", cancelRequest }), fields)).toEqual({
        cancelRequested: {
          actor: { id: fakeActor.id },
          at: cancelRequest.at,
          forceAllowedAt: FORCE_ALLOWED_AT,
        },
      });
      expect(await read(fakeRun(1, { status: "STOPPED", cancelRequest }), fields)).toEqual({ cancelRequested: null });
    });
  });

  describe("a run that is found by its id", () => {
    const id = fakeId("run", 1);
    test.each([
      ["with its phases, by one read", `{ run(id: "${id}") { status phases { id } } }`, ["runsWithPhases"]],
      [
        "by a fragment that shows them",
        `{ run(id: "${id}") { ...P } } fragment P on Run { phases { id } }`,
        ["runsWithPhases"],
      ],
      ["without them", `{ run(id: "${id}") { status } }`, ["runSummaries"]],
      ["as a whole, and then its phases", `{ run(id: "${id}") { version phases { id } } }`, ["runs", "phasesOfRuns"]],
      [
        "twice, by one read",
        `{ a: run(id: "${id}") { phases { id } } b: run(id: "${fakeId("run", 2)}") { phases { id } } }`,
        ["runsWithPhases"],
      ],
      [
        "beside others that are listed",
        `{ run(id: "${id}") { phases { id } } runs(first: 2) { edges { node { phases { id } } } } }`,
        ["runsWithPhases", "listRuns", "phasesOfRuns"],
      ],
    ])("is read %s", async (_how, query, reads) => {
      const { request, calls } = setup();
      const { errors } = await request(query);
      expect(errors).toBeUndefined();
      expect(calls.toSorted()).toEqual(reads.toSorted());
    });

    test("shows the phases that were read with it", async () => {
      const phase = { id: fakeId("phase", 1), runId: id, kind: "PLAN", attempt: 1, status: "PASSED" } as const;
      const run = { ...fakeRun(1), phases: [{ ...phase, runnerId: null, startedAt: null, finishedAt: null }] };
      const { request } = createTestGraphql({
        domain: { ...createFakeDomain().domain, runsWithPhases: async (_caller, ids) => ids.map(() => run) },
      });
      expect(await request(`{ run(id: "${id}") { phases { kind attempt } } }`)).toEqual({
        data: { run: { phases: [{ kind: "PLAN", attempt: 1 }] } },
      });
    });
  });

  describe("the indexes of plans", () => {
    test("are read in one batch, and of no more plans than one request may list", async () => {
      const domain = { planIndexes: async (_caller: unknown, ids: readonly string[]) => ids.map(() => NO_CHANGES) };
      const asked = vi.spyOn(domain, "planIndexes");
      const { request } = createTestGraphql({ domain: createFakeDomain(content, domain).domain });
      const most = LIMITS.planIndexesPerRequest;
      const query = (count: number) => `{ runs(first: ${count}) { edges { node { plan { index { address } } } } } }`;
      expect((await request(query(most))).errors).toBeUndefined();
      expect(asked).toHaveBeenCalledTimes(1);
      const { errors } = await request(query(most + 1));
      expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["index"] }] });
      expect(asked).toHaveBeenCalledTimes(1);
    });
  });

  describe("a condition that is null", () => {
    const query = (id: string): string =>
      `query ($b: Boolean = true) { run(id: "${id}") { ... @include(if: $b) { id } } }`;

    test("is no error below a run that does not exist", async () => {
      const { request } = setup();
      expect(await request(query(fakeId("run", 999)), { b: null })).toEqual({ data: { run: null } });
    });

    test("is an error of the run that it belongs to", async () => {
      const { request } = setup();
      const { data, errors } = await request(query(fakeId("run", 1)), { b: null });
      expect(data).toEqual({ run: null });
      expect(errors).toMatchObject([{ path: ["run"], extensions: { code: "INVALID_INPUT" } }]);
    });
  });

  describe("node", () => {
    test("reads whatever an id names", async () => {
      const { request } = setup();
      const ids = [fakeId("run", 1), fakeId("ws", 1), fakeId("org", 1), fakeActor.id, fakeId("plan", 101)];
      const unknown = [fakeId("run", 999), fakeId("job", 1), "run_1", "", "ws_'; drop table"];
      const { data, errors } = await request("query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }", {
        ids: [...ids, ...unknown],
      });
      expect(errors).toBeUndefined();
      const types = ["Run", "Workspace", "Organization", "User", "Plan"];
      expect(data).toEqual({
        nodes: [...ids.map((id, index) => ({ __typename: types[index], id })), ...unknown.map(() => null)],
      });
      expect((await request('{ node(id: "nonsense") { id } }')).data).toEqual({ node: null });
    });

    test("refuses more ids than a page has", async () => {
      const { request } = setup();
      const ids = Array.from({ length: 101 }, (_, index) => fakeId("run", index));
      const { errors } = await request("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", { ids });
      expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["ids"] }] });
    });
  });

  test("viewer, organization and workspace are read by whatever names them", async () => {
    const { request } = setup();
    const { data, errors } = await request(`{
    viewer { isAdmin role actor { __typename name } }
    organization(slug: "org-1") { name concurrencyLimit workspaces(first: 2) { edges { node { name } } } }
    byId: workspace(by: { id: "${fakeId("ws", 2)}" }) { name source { ... on DirectorySource { path } } }
    byPath: workspace(by: { path: { organization: "org-1", name: "workspace-3" } }) { id lock { reason } run(number: 4) { id } }
    nothing: workspace(by: { id: "run_1" }) { id }
  }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      viewer: { isAdmin: true, role: "ADMIN", actor: { __typename: "User", name: "Ada" } },
      organization: {
        name: "Organization 1",
        concurrencyLimit: 3,
        workspaces: { edges: [{ node: { name: "workspace-1" } }, { node: { name: "workspace-2" } }] },
      },
      byId: { name: "workspace-2", source: { path: "/srv/example" } },
      byPath: { id: fakeId("ws", 3), lock: null, run: { id: fakeId("run", 4) } },
      nothing: null,
    });
  });
});

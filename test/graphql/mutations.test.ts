import { type GraphQLUnionType, isUnionType } from "graphql";
import { describe, expect, test } from "vitest";
import type { Domain } from "../../src/domain/domain.ts";
import { schema } from "../../src/graphql/server/schema.ts";
import { invalidField, UserError, type UserErrorCode } from "../../src/model/kit/user-error.ts";
import { createFakeDomain, fakeCaller, fakeId, fakePlan, fakeRun, fakeWorkspace } from "../support/fake-domain.ts";
import { createTestGraphql } from "../support/graphql.ts";
import { eitherWay } from "../support/two-ways.ts";

const run = fakeRun();
const lock = {
  reason: "MANUAL" as const,
  runId: null,
  actorId: null,
  note: "mine",
  since: run.createdAt,
  expiresAt: null,
};
const content = { runs: [run], plans: [fakePlan(run)], workspaces: [fakeWorkspace(1, { lock })] };

function setup(overrides: Partial<Domain>) {
  const fake = createFakeDomain({ ...content }, overrides);
  return { ...fake, ...createTestGraphql({ domain: fake.domain }) };
}

const refuse = (code: UserErrorCode) => () =>
  Promise.reject(new UserError(code, "No.", { runId: run.id, workspaceId: fakeId("ws", 1) }));

const APPROVE = `mutation ($runId: ID!) {
  approveRun(input: { runId: $runId, gate: PLAN, planVersion: 1 }) {
    __typename
    ... on ApproveRunSuccess { run { status } }
    ... on UserError { code message }
    ... on RunStateConflictError { run { id status } }
    ... on StalePlanError { seen current { version } run { plan { version } } }
    ... on InvalidInputError { issues { path message } }
  }
}`;

eitherWay(() => {
  describe("a command", () => {
    test("gets its input with nothing left open, and answers with what it made", async () => {
      const asked: unknown[] = [];
      const { request } = setup({
        createRun: async (caller, input) => {
          asked.push(caller, input);
          return { run, created: true };
        },
      });
      const { data } = await request(`mutation {
      createRun(input: { workspaceId: "${fakeId("ws", 1)}", targets: [] }) {
        ... on CreateRunSuccess { created run { number } }
      }
    }`);
      expect(data).toEqual({ createRun: { created: true, run: { number: 1 } } });
      expect(asked).toEqual([
        fakeCaller,
        {
          workspaceId: fakeId("ws", 1),
          kind: "DEPLOY",
          message: null,
          targets: [],
          replace: null,
          planRunId: null,
          command: null,
          metadata: null,
          priority: 0,
          scheduledAt: null,
          refreshOnly: false,
          idempotencyKey: null,
        },
      ]);
    });

    test.each([
      ["NOT_FOUND", { __typename: "NotFoundError" }],
      ["FORBIDDEN", { __typename: "ForbiddenError" }],
      ["RUN_STATE_CONFLICT", { __typename: "RunStateConflictError", run: { id: run.id, status: run.status } }],
      ["STALE_PLAN", { __typename: "StalePlanError", seen: 1, current: { version: 1 }, run: { plan: { version: 1 } } }],
    ] as const)("that is refused says so with a member of its union: %s", async (code, member) => {
      const { request, reported } = setup({ approveRun: refuse(code) });
      const { data } = await request(APPROVE, { runId: run.id });
      expect(data).toEqual({ approveRun: { code, message: "No.", ...member } });
      expect(reported).toEqual([]);
    });

    test("with bad input names each fault", async () => {
      const { request } = setup({ approveRun: () => Promise.reject(invalidField("comment", "Too long.")) });
      const { data } = await request(APPROVE, { runId: run.id });
      expect(data).toMatchObject({ approveRun: { issues: [{ path: ["comment"], message: "Too long." }] } });
    });

    test("shows the lock that is in its way", async () => {
      const { request } = setup({ unlockWorkspace: refuse("WORKSPACE_LOCKED") });
      const { data } = await request(`mutation {
      unlockWorkspace(input: { workspaceId: "${fakeId("ws", 1)}" }) {
        ... on WorkspaceLockedError { code lock { reason note } }
      }
    }`);
      expect(data).toEqual({
        unlockWorkspace: { code: "WORKSPACE_LOCKED", lock: { reason: "MANUAL", note: "mine" } },
      });
    });

    test("whose error its union does not know is a bug", async () => {
      const { request, reported } = setup({ approveRun: refuse("NAME_TAKEN") });
      const { data, errors } = await request(APPROVE, { runId: run.id });
      expect(data).toBeNull();
      expect(errors?.[0]?.extensions?.["code"]).toBe("INTERNAL");
      expect(reported).toHaveLength(1);
    });

    test("is answered with what is true after it, also where several stand in one request", async () => {
      const fake = createFakeDomain({ ...content, plans: [fakePlan(run)] });
      const { request } = createTestGraphql({
        domain: {
          ...fake.domain,
          replanRun: async () => {
            const version = fake.content.plans.length + 1;
            fake.content.plans = [...fake.content.plans, fakePlan(run, version)];
            return run;
          },
        },
      });
      const replan = `replanRun(input: { runId: "${run.id}", planVersion: 1 }) {
      ... on ReplanRunSuccess { run { plan { version } } }
    }`;
      const { data } = await request(`mutation { first: ${replan} second: ${replan} }`);
      expect(data).toEqual({ first: { run: { plan: { version: 2 } } }, second: { run: { plan: { version: 3 } } } });
    });
  });

  test("a source is exactly one of those that exist", async () => {
    const asked: unknown[] = [];
    const { request } = setup({
      createWorkspace: async (_caller, input) => {
        asked.push(input);
        return fakeWorkspace();
      },
    });
    const create = (source: string): ReturnType<typeof request> =>
      request(`mutation { createWorkspace(input: { name: "a", source: ${source} }) { __typename } }`);
    expect((await create('{ directory: { path: "/srv" } }')).data).toEqual({
      createWorkspace: { __typename: "CreateWorkspaceSuccess" },
    });
    expect(asked).toEqual([
      {
        organization: "default",
        projectId: null,
        name: "a",
        description: null,
        source: { directory: { path: "/srv" } },
        planApproval: "ALWAYS",
        autoApply: "NEVER",
      },
    ]);
    expect((await create("{}")).errors).toHaveLength(1);
    expect((await create("{ directory: null }")).errors).toHaveLength(1);
  });

  test("tokens are made for people and machines, and end", async () => {
    const token = {
      id: fakeId("tok", 2),
      name: "ci",
      role: "WRITER" as const,
      permissions: null,
      scopeIds: null,
      actor: { id: fakeId("mch", 1), kind: "MACHINE" as const, name: "ci" },
      networks: [],
      createdAt: run.createdAt,
      lastUsedAt: null,
      lastUsedFrom: null,
      expiresAt: null,
      rotatedAt: null,
      revokedAt: null,
    };
    const asked: unknown[] = [];
    const { request } = setup({
      createToken: async (_caller, input) => {
        asked.push(input);
        return { token, secret: "hp_secret" };
      },
      revokeToken: async (_caller, { tokenId }) => tokenId,
    });
    const { data } = await request(`mutation {
    createToken(input: { name: "ci", actor: MACHINE, role: WRITER, expiresAt: "2027-01-01T00:00:00+01:00" }) {
      ... on CreateTokenSuccess { secret token { id role actor { __typename id } } }
    }
    revokeToken(input: { tokenId: "${token.id}" }) { ... on RevokeTokenSuccess { revokedId } }
  }`);
    expect(data).toEqual({
      createToken: {
        secret: "hp_secret",
        token: { id: token.id, role: "WRITER", actor: { __typename: "MachineUser", id: token.actor.id } },
      },
      revokeToken: { revokedId: token.id },
    });
    const owned = { ownerId: null, permissions: null, scopeIds: null, networks: null };
    const asWanted = { name: "ci", actor: "MACHINE", role: "WRITER", expiresAt: "2026-12-31T23:00:00.000Z" };
    expect(asked).toEqual([{ ...asWanted, ...owned }]);
  });
});

test("a refusal that names a run can be one that names none, for a caller who may not read the run", () => {
  const unions = Object.values(schema.getTypeMap()).filter(isUnionType);
  const membersOf = (union: GraphQLUnionType): string[] => union.getTypes().map(({ name }) => name);
  const naming = unions.filter((union) =>
    membersOf(union).some((name) => /^(?:RunStateConflict|StalePlan|IdempotencyConflict)Error$/.test(name)),
  );
  expect(naming.length).toBeGreaterThan(10);
  expect(naming.filter((union) => !membersOf(union).includes("ForbiddenError")).map(({ name }) => name)).toEqual([]);
});

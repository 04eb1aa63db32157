import { GraphQLError } from "graphql";
import { describe, expect, test } from "vitest";

import { createMaskError } from "../../../src/graphql/server/mask-error.ts";
import { invalidField, notFound, UserError } from "../../../src/model/kit/user-error.ts";
import { createFakeDomain } from "../../support/fake-domain.ts";
import { createTestGraphql } from "../../support/graphql.ts";
import { eitherWay } from "../../support/two-ways.ts";

function mask(error: unknown): { shown: Error; reported: unknown[] } {
  const reported: unknown[] = [];
  const shown = createMaskError(
    (...told) => reported.push(told),
    () => "id-1",
  )(error);
  return { shown, reported };
}

eitherWay(() => {
  describe("an error", () => {
    test.each(["UNAUTHENTICATED", "NOT_FOUND", "INVALID_INPUT", "QUERY_REFUSED", "RATE_LIMITED"])(
      "of ours is shown: %s",
      (code) => {
        const error = new GraphQLError("Because.", { extensions: { code }, path: ["a"] });
        expect(mask(error)).toEqual({ shown: error, reported: [] });
      },
    );

    test.each([
      new Error("secret"),
      new GraphQLError("secret", { path: ["a"], originalError: new Error("secret") }),
      new GraphQLError("secret", { path: ["a"], extensions: { code: "OTHER" } }),
      new UserError("FORBIDDEN", "secret"),
      "secret",
      undefined,
    ])("of nobody is masked and reported once: %s", (error) => {
      const { shown, reported } = mask(error);
      expect(JSON.parse(JSON.stringify(shown))).toMatchObject({
        message: "Unexpected error.",
        extensions: { code: "INTERNAL", errorId: "id-1" },
      });
      expect(JSON.stringify(shown)).not.toMatch(/secret|stack/);
      expect(reported).toHaveLength(1);
    });

    test("that a query's user can act on is shown with its code", () => {
      const wrapped = (cause: Error): GraphQLError => new GraphQLError("x", { path: ["a"], originalError: cause });
      expect(mask(wrapped(notFound("run"))).shown).toMatchObject({ path: ["a"], extensions: { code: "NOT_FOUND" } });
      expect(mask(wrapped(invalidField("search", "Too long."))).shown).toMatchObject({
        extensions: { code: "INVALID_INPUT", issues: [{ path: ["search"], message: "Too long." }] },
      });
    });
  });

  describe("over HTTP", () => {
    test("a bug is an id, and the rest of the answer is there", async () => {
      const { domain } = createFakeDomain({}, { runSummaries: () => Promise.reject(new Error("password=1")) });
      const { request, reported } = createTestGraphql({ domain });
      const { data, errors } = await request('{ run(id: "run_00000000000000000000000001") { id } viewer { role } }');
      expect(data).toEqual({ run: null, viewer: { role: "ADMIN" } });
      expect(reported).toHaveLength(1);
      expect(errors).toEqual([
        {
          message: "Unexpected error.",
          path: ["run"],
          locations: [{ line: 1, column: 3 }],
          extensions: { code: "INTERNAL", errorId: reported[0]?.errorId },
        },
      ]);
    });

    test.each([
      ["query ($id: ID!) { run(id: $id) { id } }", {}],
      ["query ($id: ID!) { run(id: $id) { id } }", { id: { a: 1 } }],
      ["query ($by: WorkspaceBy!) { workspace(by: $by) { id } }", { by: {} }],
      ["query ($by: WorkspaceBy!) { workspace(by: $by) { id } }", { by: { id: null } }],
      [
        'mutation ($at: DateTime!) { createToken(input: { name: "a", role: READER, expiresAt: $at }) { __typename } }',
        { at: "tomorrow" },
      ],
    ])("variables that do not fit are INVALID_INPUT: %s", async (query, variables) => {
      const { request, reported } = createTestGraphql();
      const { errors } = await request(query, variables);
      expect(errors?.[0]?.extensions?.["code"]).toBe("INVALID_INPUT");
      expect(errors?.[0]?.extensions?.["issues"]).toHaveLength(1);
      expect(reported).toEqual([]);
    });

    test("a DateTime that is none is told what would be right", async () => {
      const { request } = createTestGraphql();
      const query =
        'mutation ($at: DateTime!) { createToken(input: { name: "a", role: READER, expiresAt: $at }) { __typename } }';
      const { errors } = await request(query, { at: "tomorrow" });
      expect(errors?.[0]?.message).toContain('for example "2026-11-20T16:07:25.447Z"');
    });

    test.each(["query A { viewer { role } } query B { viewer { role } }", ""])(
      "a request without an operation is refused: %s",
      async (query) => {
        const { errors } = await createTestGraphql().request(query);
        expect(errors?.[0]?.extensions?.["code"]).toBe("QUERY_REFUSED");
      },
    );
  });
});

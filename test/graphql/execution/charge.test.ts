import { describe, expect, test } from "vitest";
import { createGraphql } from "../../../src/graphql/server/yoga.ts";
import type { Charge } from "../../../src/model/limit/charge.ts";
import { createFakeDomain, fakeCaller, fakeId, fakeRun, fakeWorkspace } from "../../support/fake-domain.ts";
import { createFakeTails, fakeCursorKey } from "../../support/fake-tails.ts";
import { eitherWay, sendHere } from "../../support/two-ways.ts";

const EXHAUSTED: Charge = { type: "exhausted", whose: "credential", retryAfterMs: 1500, quotas: [] };

eitherWay(() => {
  describe.each(["compiled", "library"] as const)("with the executor %s", (executor) => {
    function open() {
      const { domain } = createFakeDomain({ workspaces: [fakeWorkspace()], runs: [fakeRun(1)] });
      const codes: string[] = [];
      const graphql = createGraphql({
        domain,
        tails: createFakeTails().tails,
        cursorKeyOf: fakeCursorKey,
        report: (error) => expect.unreachable(String(error)),
        logger: { debug: () => {} },
        executor,
        onErrorCode: (code) => codes.push(code),
      });
      return { graphql, codes };
    }
    const query = `{ run(id: "${fakeId("run", 1)}") { number } }`;

    test("an operation is charged once, with its cost", async () => {
      const charged: unknown[] = [];
      const charge = (...given: unknown[]): Charge => {
        charged.push(given);
        return { type: "charged", cost: { points: 1, nodes: 1 }, at: new Date(0), quotas: [] };
      };
      const { graphql } = open();
      const answer = await sendHere(graphql, { caller: fakeCaller, charge }, JSON.stringify({ query }));
      expect(answer).toEqual({ data: { run: { number: 1 } } });
      expect(charged).toEqual([["query", { points: 1, nodes: 1 }]]);
    });

    test.each([query, "mutation { __typename }", "{ __typename }"])(
      "a refused one is not executed, and its code is counted: %s",
      async (refused) => {
        const { graphql, codes } = open();
        const charge = () => EXHAUSTED;
        expect(
          await sendHere(graphql, { caller: fakeCaller, charge }, JSON.stringify({ query: refused })),
        ).toMatchObject({
          errors: [
            {
              message: "This token has used all of its points. Try again in 2 s.",
              extensions: { code: "RATE_LIMITED" },
            },
          ],
        });
        expect(codes).toContain("RATE_LIMITED");
      },
    );
  });
});

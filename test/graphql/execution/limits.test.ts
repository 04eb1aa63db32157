import { getIntrospectionQuery, parse } from "graphql";
import { describe, expect, test } from "vitest";

import { measure, refusalOf } from "../../../src/graphql/execution/limits.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { fakeCaller } from "../../support/fake-domain.ts";
import { createTestGraphql } from "../../support/graphql.ts";
import { eitherWay } from "../../support/two-ways.ts";

const deep = (levels: number): string => `${"{ a ".repeat(levels)}${"}".repeat(levels)}`;

eitherWay(() => {
  describe("a document is measured", () => {
    test("by depth, fields and aliases, fragments included", () => {
      const cost = measure(parse("{ x: a { b ...F } ... { c } } fragment F on T { y: d { e } }"));
      expect(cost).toEqual({ depth: 3, fields: 5, aliases: 2 });
    });

    test("by its most expensive operation", () => {
      expect(measure(parse("query A { a } query B { a { b } }"))).toEqual({ depth: 2, fields: 2, aliases: 0 });
    });

    test("in no time, however often fragments multiply", () => {
      const links = Array.from({ length: 60 }, (_, i) => `fragment F${i} on T { ...F${i + 1} ...F${i + 1} }`).join(" ");
      expect(measure(parse(`{ ...F0 } ${links} fragment F60 on T { a }`)).fields).toBe(2 ** 60);
    });

    test("although fragments go in circles", () => {
      const cyclic = "{ ...A } fragment A on Query { viewer { role } ...B } fragment B on Query { ...A }";
      expect(measure(parse(cyclic)).depth).toBe(2);
    });
  });

  describe("a document is refused", () => {
    const refused: [string, string, string][] = [
      ["nested too deeply", deep(LIMITS.queryDepth + 1), `limit is ${LIMITS.queryDepth}`],
      ["with too many fields", `{ ${"a ".repeat(LIMITS.queryFields + 1)} }`, `limit is ${LIMITS.queryFields}`],
      [
        "with too many aliases",
        `{ ${Array.from({ length: LIMITS.queryAliases + 1 }, (_, i) => `a${i}: viewer { role }`).join(" ")} }`,
        `limit is ${LIMITS.queryAliases}`,
      ],
      ["with too many tokens", `{ ${"a ".repeat(10_000)} }`, `limit is ${LIMITS.queryTokens}`],
      ["that is no GraphQL", "{ a", "Syntax Error"],
      ["that does not fit the schema", "{ nothing }", "Cannot query field"],
      [
        "with fragments that go in circles",
        "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
        "Cannot spread fragment",
      ],
    ];

    test.each(refused)("%s, over HTTP", async (_what, query, message) => {
      const { request, reported } = createTestGraphql();
      const { errors } = await request(query);
      expect(errors?.[0]?.message).toContain(message);
      expect(errors?.[0]?.extensions).toEqual({ code: "QUERY_REFUSED" });
      expect(reported).toEqual([]);
    });

    test.each(refused)("%s, over a WebSocket, again and again", async (_what, query, message) => {
      const { subscribe } = createTestGraphql();
      for (let i = 0; i < 2; i++) {
        const { value } = await (await subscribe(query)).next();
        expect(value.errors?.[0]?.message).toContain(message);
        expect(value.errors?.[0]?.extensions).toEqual({ code: "QUERY_REFUSED" });
      }
    });

    test("at the limit it is not", () => {
      expect(refusalOf(parse(deep(LIMITS.queryDepth)))).toBeNull();
      expect(refusalOf(parse(`{ ${"a ".repeat(LIMITS.queryFields)} }`))).toBeNull();
    });
  });

  test("variables of fragments stay unknown, whatever is asked of the parser", () => {
    const { graphql } = createTestGraphql();
    const { parse: parseAdmitted } = graphql.getEnveloped({ caller: fakeCaller });
    const query =
      "query { viewer { ...F(yes: true) } } fragment F($yes: Boolean!) on Viewer { role @include(if: $yes) }";
    expect(() => parse(query, { experimentalFragmentArguments: true })).not.toThrow();
    expect(() => parseAdmitted(query, { experimentalFragmentArguments: true })).toThrow("Syntax Error");
  });

  test("the questions that GraphiQL asks about the schema are answered", async () => {
    const { request } = createTestGraphql();
    const full = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    });
    const { data, errors } = await request(full);
    expect(errors).toBeUndefined();
    expect(data).toHaveProperty("__schema.types");
  });
});

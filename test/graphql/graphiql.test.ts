import { expect, test } from "vitest";

import { fakeCaller } from "../support/fake-domain.ts";
import { createTestGraphql } from "../support/graphql.ts";

const open = async (url: string): Promise<Response> =>
  createTestGraphql().graphql.fetch(url, { headers: { accept: "text/html" } }, { caller: fakeCaller });

test("the page of GraphiQL needs nothing from elsewhere", async () => {
  const response = await open("http://test/graphql");
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(page).toContain("<title>Holdpoint</title>");
  expect(page).toContain("Bearer <token>");
  expect(page).not.toMatch(/<(?:script|link)[^>]+(?:src|href)="https?:/);
});

test("another path has no page", async () => {
  expect((await open("http://test/other")).status).toBe(404);
});

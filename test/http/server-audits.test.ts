/** The endpoint keeps the specification of GraphQL over HTTP, by the audits of its reference implementation. */
import { serverAudits } from "graphql-http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { THROUGH_YOGA } from "../support/api.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";

let server: InProcess;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server[Symbol.asyncDispose]());

describe.each<[string, Record<string, string>]>([
  ["the short way where it is taken", {}],
  ["Yoga's HTTP layer", THROUGH_YOGA],
])("through %s", (_way, more) => {
  /** Every request carries the admin's token. */
  const withToken = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${server.api.token}`);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    return fetch(input, { ...init, headers });
  };
  const audits = serverAudits({ url: () => `${server.url}/graphql`, fetchFn: withToken });

  it("has audits", () => {
    expect(audits.length).toBeGreaterThan(50);
  });

  it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))("%s %s", async (_id, _name, audit) => {
    const result = await audit.fn();
    expect(result.status, "reason" in result ? result.reason : "").toBe("ok");
  });
});

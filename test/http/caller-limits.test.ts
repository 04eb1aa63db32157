import { afterEach, describe, expect, it } from "vitest";
import type { CallerRateSettings } from "../../src/model/limit/caller-rates.ts";
import { THROUGH_YOGA } from "../support/api.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";

let server: InProcess;
afterEach(() => server[Symbol.asyncDispose]());

/** A point a second, ten at once; the clock stands. */
async function start(rates: Partial<CallerRateSettings> = { credential: { perMinute: 60, burst: 10 } }): Promise<void> {
  server = await startInProcess({ standing: true, rates });
}

const VIEWER = "{ viewer { rateLimit { limit remaining resetAt cost nodeCount } } }";
const LIST = "query($n: Int) { organizations(first: $n) { edges { node { id } } } }";

function post(body: object, headers: Record<string, string> = {}, token = server.api.token): Promise<Response> {
  return fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

async function newToken(name: string): Promise<string> {
  const { createToken } = await server.api.ask(
    `mutation { createToken(input: { name: "${name}", role: READER }) { ... on CreateTokenSuccess { secret } } }`,
  );
  return createToken.secret;
}

describe.each([
  ["answered directly", {}],
  ["answered by Yoga", THROUGH_YOGA],
])("an operation over HTTP, %s", (_how, headers) => {
  it("takes its points once, and shows what is left in headers and in the API", async () => {
    await start();
    const answer = await post({ query: VIEWER }, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit-policy")).toBe('"credential";q=10;w=10');
    expect(answer.headers.get("ratelimit")).toBe('"credential";r=9;t=1');
    expect(answer.headers.has("retry-after")).toBe(false);
    const resetAt = new Date(server.deps.clock().getTime() + 1000).toISOString();
    expect(await answer.json()).toEqual({
      data: { viewer: { rateLimit: { limit: 10, remaining: 9, resetAt, cost: 1, nodeCount: 1 } } },
    });
    const list = await post({ query: LIST, variables: { n: 6 } }, headers);
    expect(list.headers.get("ratelimit")).toBe('"credential";r=3;t=7');
  });

  it("is refused with 429 when the points do not suffice, and executed when they are back", async () => {
    await start();
    expect((await post({ query: LIST, variables: { n: 8 } }, headers)).status).toBe(200);
    const refused = await post({ query: LIST, variables: { n: 5 } }, headers);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("3");
    expect(refused.headers.get("ratelimit")).toBe('"credential";r=2;t=8');
    expect(await refused.json()).toEqual({
      errors: [
        {
          message: "This token has used all of its points. Try again in 3 s.",
          extensions: { code: "RATE_LIMITED" },
        },
      ],
    });
    server.advance(3000);
    expect((await post({ query: LIST, variables: { n: 5 } }, headers)).status).toBe(200);
  });

  it("is not even parsed without a point, and a refused document costs one", async () => {
    await start({ credential: { perMinute: 60, burst: 3 } });
    for (const query of ["{ nothing }", "{ viewer {", "query A { __typename } query A { __typename }"]) {
      expect(await (await post({ query }, headers)).json()).toMatchObject({
        errors: [{ extensions: { code: "QUERY_REFUSED" } }],
      });
    }
    const refused = await post({ query: "{ viewer {" }, headers);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: "RATE_LIMITED" } }] });
  });

  it("that costs more than is ever available is refused with its points and the limit, and costs nothing", async () => {
    await start();
    const answer = await post({ query: LIST, variables: { n: 100 } }, headers);
    expect(answer.headers.has("retry-after")).toBe(false);
    expect(await answer.json()).toEqual({
      errors: [
        {
          message: "The operation costs 100 points; the limit is 10. Ask for fewer items (`first`).",
          extensions: { code: "QUERY_REFUSED" },
        },
      ],
    });
    expect((await post({ query: VIEWER }, headers)).headers.get("ratelimit")).toBe('"credential";r=9;t=1');
  });
});

describe("the points of a token", () => {
  it("are taken by GET, other routes and mutations, and never by another token", async () => {
    await start({ credential: { perMinute: 60, burst: 40 } });
    const secret = await newToken("second");
    const headers = { authorization: `Bearer ${secret}`, accept: "application/json" };
    const left = async (path: string): Promise<string | null> =>
      (await fetch(`${server.url}${path}`, { headers })).headers.get("ratelimit");
    expect(await left(`/graphql?query=${encodeURIComponent("{ __typename }")}`)).toBe('"credential";r=39;t=1');
    expect(await left("/runs/run_00000000000000000000000000/wait")).toBe('"credential";r=38;t=2');
    expect(await left("/healthz")).toBeNull();
    const mutation = 'mutation { cancelRun(input: { runId: "run_00000000000000000000000000" }) { __typename } }';
    expect((await post({ query: mutation }, {}, secret)).headers.get("ratelimit")).toBe('"credential";r=28;t=12');
    // The mutation that made the token.
    expect((await post({ query: VIEWER })).headers.get("ratelimit")).toBe('"credential";r=29;t=11');
  });

  it("are null in the API of a server without limits, which sends no headers", async () => {
    await start({});
    const answer = await post({ query: VIEWER });
    expect(answer.headers.has("ratelimit")).toBe(false);
    expect(await answer.json()).toEqual({ data: { viewer: { rateLimit: null } } });
  });
});

describe("operations of a WebSocket", () => {
  it("are refused one by one while the socket stays open", async () => {
    await start();
    const first = async (query: string) => {
      await using items = server.api.subscribe(query);
      const { value } = await items.next();
      return value;
    };
    expect(await first(VIEWER)).toMatchObject({ viewer: { rateLimit: { remaining: 9, cost: 1 } } });
    expect(await first("{ organizations(first: 9) { edges { cursor } } }")).toMatchObject({ organizations: {} });
    await expect(first(VIEWER)).rejects.toMatchObject([{ extensions: { code: "RATE_LIMITED" } }]);
    server.advance(1000);
    expect(await first(VIEWER)).toMatchObject({ viewer: { rateLimit: { remaining: 0 } } });
  });
});

import { afterEach, describe, expect, inject, it, vi } from "vitest";
import type { CallerRateSettings } from "../../src/model/limit/caller-rates.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { builtInRoleId } from "../../src/model/people/role.ts";
import { THROUGH_YOGA } from "../support/api.ts";
import { waitFor } from "../support/eventually.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { walk } from "../support/walk.ts";

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

describe.each(
  walk(
    [
      ["answered directly", {}],
      ["answered by Yoga", THROUGH_YOGA],
    ],
    1,
  ),
)("an operation over HTTP, %s", (_how, headers) => {
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
    const authenticating = vi.spyOn(server.domain, "authenticate");
    await expect(first(VIEWER)).rejects.toMatchObject([{ extensions: { code: "RATE_LIMITED" } }]);
    // A socket opens with a lookup of its token; the operation needs none.
    expect(authenticating).toHaveBeenCalledTimes(1);
    server.advance(1000);
    expect(await first(VIEWER)).toMatchObject({ viewer: { rateLimit: { remaining: 0 } } });
  });
});

const EVENTS = `subscription { organizationEvents(organizationId: "${DEFAULT_ORGANIZATION_ID}") { __typename } }`;

describe("subscriptions", () => {
  const limits = { credential: { perMinute: 60, burst: 100 }, subscriptions: 2 };

  async function openSocket() {
    const items = server.api.subscribe(EVENTS);
    await items.next();
    return items;
  }

  async function openEventStream(): Promise<{ response: Response; leave: () => void }> {
    const leaving = new AbortController();
    const response = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${server.api.token}`,
        "content-type": "application/json",
        accept: "text/event-stream",
      },
      body: JSON.stringify({ query: EVENTS }),
      signal: leaving.signal,
    });
    return { response, leave: () => leaving.abort() };
  }

  const remaining = async (): Promise<number> => {
    const { viewer } = await server.api.ask("{ viewer { rateLimit { remaining } } }");
    return viewer.rateLimit.remaining;
  };

  it("of a WebSocket cost five points, and only so many of a token may be open", async () => {
    await start(limits);
    await using first = await openSocket();
    await using _second = await openSocket();
    expect(await remaining()).toBe(89);
    await expect(openSocket()).rejects.toMatchObject([
      { message: expect.stringContaining("2 subscriptions open"), extensions: { code: "RATE_LIMITED" } },
    ]);
    await first.return?.();
    await waitFor(async () => {
      await using _again = await openSocket();
    });
  });

  it("of server-sent events are counted with them", async () => {
    await start(limits);
    const first = await openEventStream();
    expect(first.response.headers.get("ratelimit")).toBe('"credential";r=95;t=5');
    await using _second = await openSocket();
    const third = await openEventStream();
    expect(await third.response.text()).toContain("RATE_LIMITED");
    await expect(openSocket()).rejects.toMatchObject([{ extensions: { code: "RATE_LIMITED" } }]);
    first.leave();
    await waitFor(async () => {
      await using _again = await openSocket();
    });
  });

  it("that are refused for their subject are not counted as open", async () => {
    await start(limits);
    const unknown = 'subscription { runEvents(runId: "run_00000000000000000000000000") { __typename } }';
    for (let time = 0; time < 4; time += 1) {
      await using items = server.api.subscribe(unknown);
      await expect(items.next()).rejects.toThrow(/NOT_FOUND/);
    }
    await using _first = await openSocket();
    await using _second = await openSocket();
  });

  it("that are shared are paid by each reader", async () => {
    await start({ credential: { perMinute: 60, burst: 30 } });
    const secret = await newToken("second");
    await using _own = await openSocket();
    const others = server.api.as(secret).subscribe(EVENTS);
    await others.next();
    await others.return?.();
    const own = await post({ query: VIEWER }, {}, secret);
    expect(own.headers.get("ratelimit")).toBe('"credential";r=24;t=6');
  });
});

it("uploads of a token are limited, with the time until the next", async () => {
  await start({ uploads: { perMinute: 1, burst: 2 } });
  const upload = (): Promise<Response> =>
    fetch(`${server.url}/sources`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.api.token}`, "content-type": "application/gzip" },
      body: "x",
    });
  expect([(await upload()).status, (await upload()).status]).toEqual([400, 400]);
  const refused = await upload();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED" });
  server.advance(60_000);
  expect((await upload()).status).toBe(400);
});

describe("the points of an organization", () => {
  async function machine(name: string): Promise<string> {
    const input = { organizationId: DEFAULT_ORGANIZATION_ID, name };
    const made = await server.api.ask(
      `mutation($input: CreateServiceAccountInput!) {
        createServiceAccount(input: $input) { ... on CreateServiceAccountSuccess { actor { id } } } }`,
      { input },
    );
    const ownerId = made.createServiceAccount.actor.id;
    await server.api.ask("mutation($input: CreateGrantInput!) { createGrant(input: $input) { __typename } }", {
      input: { principalId: ownerId, roleId: builtInRoleId("READER"), scopeId: DEFAULT_ORGANIZATION_ID },
    });
    const token = await server.api.ask(
      "mutation($input: CreateTokenInput!) { createToken(input: $input) { ... on CreateTokenSuccess { secret } } }",
      { input: { name, ownerId } },
    );
    return token.createToken.secret;
  }

  it("are shared by its machine users, and not by those with rights on the installation", async () => {
    await start({ credential: { perMinute: 60, burst: 100 }, organization: { perMinute: 60, burst: 15 } });
    const [one, two] = [await machine("one"), await machine("two")];
    const answer = await post({ query: LIST, variables: { n: 10 } }, {}, one);
    expect(answer.headers.get("ratelimit-policy")).toBe('"credential";q=100;w=100, "organization";q=15;w=15');
    expect(answer.headers.get("ratelimit")).toBe('"credential";r=90;t=10, "organization";r=5;t=10');
    const refused = await post({ query: LIST, variables: { n: 10 } }, {}, two);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await refused.json()).toMatchObject({ errors: [{ message: expect.stringContaining("organization") }] });
    expect((await post({ query: LIST, variables: { n: 5 } }, {}, two)).headers.get("ratelimit")).toBe(
      '"credential";r=95;t=5, "organization";r=0;t=15',
    );
    expect((await post({ query: LIST, variables: { n: 15 } })).status).toBe(200);
  });
});

it("one that sends many times as much as it may takes nothing from others", async () => {
  const sent = inject("soaks") ? 1000 : 200;
  await start({ credential: { perMinute: 60, burst: 10 } });
  const secrets: string[] = [];
  for (let number = 0; number < 8; number += 1) {
    server.advance(10_000);
    secrets.push(await newToken(`other-${number}`));
  }
  const [abuser = "", ...others] = secrets;
  const executed = countLists();
  const statuses = async (secret: string, times: number): Promise<number[]> => {
    const answers = Array.from({ length: times }, () => post({ query: LIST, variables: { n: 1 } }, {}, secret));
    return Promise.all(answers.map(async (answer) => (await answer).status));
  };
  const [abused, ...served] = await Promise.all([
    statuses(abuser, sent),
    ...others.map((secret) => statuses(secret, 10)),
  ]);
  expect(abused.filter((status) => status === 200)).toHaveLength(10);
  expect(abused.filter((status) => status === 429)).toHaveLength(sent - 10);
  expect(served).toEqual(others.map(() => Array(10).fill(200)));
  expect(executed()).toBe(10 * (1 + others.length));
});

it("an overloaded server refuses who uses most, and no decision about a run", async () => {
  const shedder = { bound: 1 };
  server = await startInProcess({ standing: true, rates: { credential: { perMinute: 60, burst: 100 } }, shedder });
  const light = await newToken("light");
  await post({ query: LIST, variables: { n: 50 } });
  shedder.bound = 0.5;
  const refused = await post({ query: VIEWER });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await refused.json()).toMatchObject({
    errors: [{ message: expect.stringContaining("overloaded"), extensions: { code: "RATE_LIMITED" } }],
  });
  const run = `runId: "${"run_00000000000000000000000000"}"`;
  const decision = `mutation { approveRun(input: { ${run}, gate: PLAN, planVersion: 1 }) { __typename } }`;
  expect(await (await post({ query: decision })).json()).toEqual({
    data: { approveRun: { __typename: "NotFoundError" } },
  });
  expect((await post({ query: VIEWER }, {}, light)).status).toBe(200);
  await using socket = server.api.subscribe(VIEWER);
  await expect(socket.next()).rejects.toMatchObject([{ extensions: { code: "RATE_LIMITED" } }]);
  shedder.bound = 1;
  expect((await post({ query: VIEWER })).status).toBe(200);
});

it("requests of a token without points are refused without a look into the database", async () => {
  await start({ credential: { perMinute: 60, burst: 10 } });
  const socket = server.api.subscribe(EVENTS);
  await socket.next();
  expect((await post({ query: LIST, variables: { n: 5 } })).status).toBe(200);
  expect((await post({ query: VIEWER })).status).toBe(429);
  const authenticating = vi.spyOn(server.domain, "authenticate");
  const answers = await Promise.all(Array.from({ length: 50 }, () => post({ query: VIEWER })));
  expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get("retry-after")}`))).toEqual(
    new Set(["429 1"]),
  );
  expect(await answers[0]?.json()).toMatchObject({ errors: [{ extensions: { code: "RATE_LIMITED" } }] });
  expect(authenticating).not.toHaveBeenCalled();
  server.advance(1000);
  expect((await post({ query: VIEWER })).status).toBe(200);
  await socket.return?.();
});

it("a token without points that is revoked is not told so before it has one, and then", async () => {
  await start({ credential: { perMinute: 60, burst: 30 } });
  const secret = await newToken("short");
  const ask = async (): Promise<number> => (await post({ query: LIST, variables: { n: 30 } }, {}, secret)).status;
  expect([await ask(), await ask(), await ask()]).toEqual([200, 429, 429]);
  await server.api.ask("mutation($id: ID!) { revokeToken(input: { tokenId: $id }) { __typename } }", {
    id: (await server.api.ask("{ tokens(first: 5) { edges { node { id name } } } }")).tokens.edges.find(
      ({ node }: { node: { name: string } }) => node.name === "short",
    ).node.id,
  });
  expect(await ask()).toBe(429);
  server.advance(1000);
  expect(await ask()).toBe(401);
});

/** Counts the lists of organizations that are read from now on. */
function countLists(): () => number {
  const reading = vi.spyOn(server.domain, "listOrganizations");
  return () => reading.mock.calls.length;
}

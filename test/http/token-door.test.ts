import { afterEach, beforeEach, describe, expect, it } from "vitest";
import ipaddr from "ipaddr.js";
import { createTokenDoor, type Sender, type TokenDoor } from "../../src/http/route/token-door.ts";
import { fakeCaller } from "../support/fake-domain.ts";
import { createApi } from "../support/api.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";

const BURST = LIMITS.invalidTokens.burst;
let now = 0;
let asked: string[] = [];

function door(trustedProxies: Parameters<typeof createTokenDoor>[0]["trustedProxies"] = []): TokenDoor {
  return createTokenDoor({
    authenticate: async (secret) => {
      asked.push(secret);
      return secret.startsWith("good") ? fakeCaller : null;
    },
    clock: () => new Date(now),
    trustedProxies,
  });
}

function from(remoteAddress: string, forwardedFor?: string): Sender {
  const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
  // Of a request no more than this is read.
  return { headers, socket: { remoteAddress } } as Sender;
}

beforeEach(() => {
  now = 0;
  asked = [];
});

async function fail(enter: TokenDoor, sender: Sender, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) expect(await enter(`bad${time}`, sender)).toBeNull();
}

describe("tokens that are not valid", () => {
  it("are not looked up any more beyond the limit of an address, until time has passed", async () => {
    const enter = door();
    const sender = from("192.0.2.1");
    await fail(enter, sender, BURST);
    const before = asked.length;
    await expect(enter("bad", sender)).rejects.toMatchObject({
      status: 429,
      code: "RATE_LIMITED",
      headers: { "retry-after": "1" },
    });
    expect(asked).toHaveLength(before);
    now += 100;
    await fail(enter, sender, 1);
    await expect(enter("bad", sender)).rejects.toMatchObject({ status: 429 });
  });

  it("limit no other address, and not a missing token", async () => {
    const enter = door();
    await fail(enter, from("192.0.2.1"), BURST);
    await fail(enter, from("192.0.2.2"), 1);
    expect(await enter("good", from("192.0.2.2"))).toBe(fakeCaller);
    for (let time = 0; time < 2 * BURST; time += 1) expect(await enter("", from("192.0.2.3"))).toBeNull();
  });

  it("do not stop those behind the same address whose token was valid lately", async () => {
    const enter = door();
    const sender = from("192.0.2.1");
    expect(await enter("good one", sender)).toBe(fakeCaller);
    await fail(enter, sender, BURST);
    expect(await enter("good one", sender)).toBe(fakeCaller);
    await expect(enter("good but new", sender)).rejects.toMatchObject({ status: 429 });
  });

  it("count for the client behind a proxy that is believed, and for the proxy otherwise", async () => {
    const believed = door([[ipaddr.parse("10.0.0.0"), 8]]);
    await fail(believed, from("10.0.0.1", "198.51.100.7"), BURST);
    expect(await believed("good", from("10.0.0.1", "198.51.100.8"))).toBe(fakeCaller);
    await expect(believed("bad", from("10.0.0.2", "198.51.100.7"))).rejects.toMatchObject({ status: 429 });
    const alone = door();
    await fail(alone, from("10.0.0.1", "198.51.100.7"), BURST);
    await expect(alone("bad", from("10.0.0.1", "198.51.100.8"))).rejects.toMatchObject({ status: 429 });
  });
});

describe("a server", () => {
  let server: InProcess;
  afterEach(() => server[Symbol.asyncDispose]());

  it("answers 429 with Retry-After, by HTTP and GraphQL, and goes on for the tokens that it knows", async () => {
    server = await startInProcess({ standing: true });
    const guess = (token: string) =>
      fetch(`${server.url}/graphql`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ query: "{ viewer { role } }" }),
      });
    expect((await server.api.send("{ viewer { role } }")).status).toBe(200);
    let answer = await guess("wrong");
    for (let time = 0; time < 4 * BURST && answer.status === 401; time += 1) answer = await guess(`wrong${time}`);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: "RATE_LIMITED" } }] });
    expect((await fetch(`${server.url}/runs/x/log`, { headers: { authorization: "Bearer other" } })).status).toBe(429);
    expect((await server.api.send("{ viewer { role } }")).status).toBe(200);
    const socket = createApi(server.url, "wrongagain").subscribe(
      'subscription { runEvents(runId: "x") { __typename } }',
    );
    await expect(socket.next()).rejects.toMatchObject({ code: 1013 });
    expect(server.reported).toEqual([]);
  });
});

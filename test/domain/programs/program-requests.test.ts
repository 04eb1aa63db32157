/** Requests of programs, below the pages: who answers, and what each code is good for. */
import { hash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createProgramRequests, type ProgramRequests } from "../../../src/domain/programs/program-requests.ts";
import { createSignIns } from "../../../src/domain/sign-in/sign-ins.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import { type InProcess, startInProcess } from "../../support/in-process.ts";

const CLIENT = "program";
const REQUEST = { client: CLIENT, permissions: null, address: null };
const VERIFIER = "v".repeat(43);
const REDIRECT = { redirectUri: "http://localhost:10000/", challenge: hash("sha256", VERIFIER, "base64url") };
const proofOf = (code: string) => ({ code, redirectUri: REDIRECT.redirectUri, verifier: VERIFIER });

let server: InProcess;
let requests: ProgramRequests;
beforeAll(async () => {
  server = await startInProcess();
  requests = createProgramRequests(server.deps);
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => expect(server.reported).toEqual([]));

/** A person who signed in so long ago. */
async function person(presentMs = 0): Promise<ActorCaller> {
  const { deps, domain } = server;
  const presentAt = new Date(deps.clock().getTime() - presentMs).toISOString();
  const profile = { issuer: "https://login.example.com", subject: randomUUID(), name: "Ann", email: null, groups: [] };
  const { secret } = await createSignIns(deps).byProvider(
    { profile, state: randomUUID(), providerSession: null, adminGroup: null, presentAt },
    { address: null, userAgent: null, formerSecret: null },
  );
  return (await domain.authenticate(secret, () => null)) ?? expect.fail("There is no session.");
}

const tokensOf = async (caller: ActorCaller): Promise<number> => {
  const { sql } = server.deps.database;
  return (await sql.selectFrom("token").select("id").where("actor_id", "=", caller.actor.id).execute()).length;
};

describe("an answer", () => {
  it("takes a person who has just signed in, also where no page asked for that", async () => {
    const late = await person(10 * 60_000 + 1000);
    const { deviceCode, userCode } = await requests.begin(REQUEST);
    const again = { code: "REAUTHENTICATION_REQUIRED" };
    await expect(requests.decide(late, userCode, true)).rejects.toMatchObject(again);
    await expect(requests.allow(late, REQUEST, REDIRECT)).rejects.toMatchObject(again);
    expect(requests.mayAnswer(late)).toBe(false);
    expect(await requests.fetchByDevice(CLIENT, deviceCode)).toEqual({ error: "authorization_pending" });
  });

  it("is not taken from a token", async () => {
    const token = (await server.domain.authenticate(server.api.token, () => null)) ?? expect.fail("There is no token.");
    const { userCode } = await requests.begin(REQUEST);
    const refused = "A token answers no program.";
    await expect(requests.decide(token, userCode, true)).rejects.toThrow(refused);
    await expect(requests.allow(token, REQUEST, REDIRECT)).rejects.toThrow(refused);
    expect(requests.mayAnswer(token)).toBe(false);
  });

  it("is not taken from a session that a token has just opened", async () => {
    const browser = { address: null, userAgent: null, formerSecret: null };
    const { secret } = await createSignIns(server.deps).byToken(server.api.token, browser);
    const session = (await server.domain.authenticate(secret, () => null)) ?? expect.fail("There is no session.");
    const { deviceCode, userCode } = await requests.begin(REQUEST);
    const refused = "A token answers no program.";
    await expect(requests.decide(session, userCode, true)).rejects.toThrow(refused);
    await expect(requests.allow(session, REQUEST, REDIRECT)).rejects.toThrow(refused);
    expect(requests.mayAnswer(session)).toBe(false);
    expect(await requests.fetchByDevice(CLIENT, deviceCode)).toEqual({ error: "authorization_pending" });
  });
});

describe("a code", () => {
  it("of a browser is none of a device, which would need no verifier", async () => {
    const ann = await person();
    const code = await requests.allow(ann, REQUEST, REDIRECT);
    expect(await requests.fetchByDevice(CLIENT, code)).toEqual({ error: "invalid_grant" });
    expect(await tokensOf(ann)).toBe(0);
    expect(await requests.fetchByCode(CLIENT, proofOf(code))).toHaveProperty("token");
  });

  it("of a browser takes the verifier and the address of the program that began", async () => {
    const ann = await person();
    const code = await requests.allow(ann, REQUEST, REDIRECT);
    const invalid = { error: "invalid_grant" };
    const proof = proofOf(code);
    expect(await requests.fetchByCode(CLIENT, { ...proof, verifier: "w".repeat(43) })).toEqual(invalid);
    expect(await requests.fetchByCode(CLIENT, { ...proof, redirectUri: "http://localhost:10001/" })).toEqual(invalid);
    expect(await requests.fetchByCode("another", proof)).toEqual(invalid);
    expect(await tokensOf(ann)).toBe(0);
    expect(await requests.fetchByCode(CLIENT, proof)).toHaveProperty("token");
  });

  it("of a device is none of a browser", async () => {
    const ann = await person();
    const { deviceCode, userCode } = await requests.begin(REQUEST);
    expect(await requests.decide(ann, userCode, true)).toBe(true);
    expect(await requests.fetchByCode(CLIENT, proofOf(deviceCode))).toEqual({ error: "invalid_grant" });
    expect(await tokensOf(ann)).toBe(0);
  });

  it("is good for the program that began, and once", async () => {
    const ann = await person();
    const { deviceCode, userCode } = await requests.begin(REQUEST);
    await requests.decide(ann, userCode, true);
    expect(await requests.fetchByDevice("another", deviceCode)).toEqual({ error: "invalid_grant" });
    expect(await requests.fetchByDevice(CLIENT, deviceCode)).toHaveProperty("token");
    expect(await requests.fetchByDevice(CLIENT, deviceCode)).toEqual({ error: "invalid_grant" });
    expect(await tokensOf(ann)).toBe(1);
  });

  it("that is used twice ends its token and the connections of that", async () => {
    const ann = await person();
    const code = await requests.allow(ann, REQUEST, REDIRECT);
    const given = await requests.fetchByCode(CLIENT, proofOf(code));
    if (!("token" in given)) throw new Error(`There is no token: ${given.error}.`);
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    await once(socket, "open");
    const closed = once(socket, "close");
    const authorization = `Bearer ${given.token.secret}`;
    socket.send(JSON.stringify({ type: "connection_init", payload: { authorization } }));
    await once(socket, "message");
    const query = `subscription { organizationEvents(organizationId: "${DEFAULT_ORGANIZATION_ID}") { __typename } }`;
    socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query } }));
    // It has begun: no operation is admitted any more, by which the end would be noticed as well.
    await once(socket, "message");
    expect(await requests.fetchByCode(CLIENT, proofOf(code))).toEqual({ error: "invalid_grant" });
    expect((await closed)[0]).toBe(4403);
  });
});

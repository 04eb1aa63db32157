import { once } from "node:events";
import { createServer } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHintListener } from "../../src/bus/hint-listener.ts";
import { createNotifier } from "../../src/persistence/database/notifier.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { createNatsHints, type NatsHintSettings, natsSubject } from "../../src/persistence/installation/nats-hints.ts";
import { describeHints, type HintsEnd, newEnd } from "../bus/hint-cases.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { waitFor, waitUntil } from "../support/eventually.ts";
import { type NatsServer, startNatsServer } from "../support/nats-server.ts";
import { freePort } from "../support/server-process.ts";

let nats: NatsServer;
let database: TestDatabase;
beforeAll(async () => {
  [nats, database] = await Promise.all([startNatsServer(), createTestDatabase()]);
});
afterAll(async () => {
  await nats[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const SUBJECT = "holdpoint.test.hints";
const clock = { ms: Date.now() };
/** The number of reports of each server that its NATS is back. */
const backs = new WeakMap<HintsEnd, { count: number }>();

/** Connects a server, whether or not NATS is there. */
async function start(subject: string, settings: Partial<NatsHintSettings> = {}): Promise<HintsEnd> {
  const { end, listener } = newEnd();
  const back = { count: 0 };
  const onError = (error: Error): unknown => end.errors.push(error);
  const fallback = createNotifier(database.connection, onError);
  const hints = createNatsHints({ ...nats.settings, ...settings }, subject, {
    fallback,
    clock: () => new Date(clock.ms),
    onError,
    onBack: () => (back.count += 1),
  });
  hints.listen(listener);
  const overDatabase = await startHintListener(database.connection, listener, onError, () => hints.peerAway());
  const close = async (): Promise<void> => {
    for (const part of [hints, fallback, overDatabase]) await part[Symbol.asyncDispose]();
  };
  const started = Object.assign(end, { notifier: hints.notifier, [Symbol.asyncDispose]: close });
  backs.set(started, back);
  return started;
}

/** Connects a server, and waits for NATS. */
async function open(subject = SUBJECT): Promise<HintsEnd> {
  const end = await start(subject);
  // It begins by reading everything, and makes the others do so.
  await waitUntil(() => end.received.length >= 2);
  end.received.length = 0;
  return end;
}

/** A hint of each server reaches the other. */
async function expectBothWays(first: HintsEnd, second: HintsEnd): Promise<void> {
  first.notifier.send(["run:first"]);
  second.notifier.send(["run:second"]);
  await waitUntil(() => first.received.includes("run:second"));
  await waitUntil(() => second.received.includes("run:first"));
}

describeHints("NATS", open, async () => {
  await nats.kill();
  await nats.start();
});

describe("NATS that is away", () => {
  test("is replaced by the database until it is back", async () => {
    await using first = await open();
    await using second = await open();
    await nats.kill();
    await waitUntil(() => first.errors.length > 0 && second.errors.length > 0);
    await expectBothWays(first, second);
    // What was sent into the broken connection may be lost.
    for (const { received } of [first, second]) expect(received).toContain("ALL");
    await nats.start();
    await waitUntil(() => [first, second].every((end) => backs.get(end)?.count === 1));
    for (const { errors } of [first, second]) expect(errors).toHaveLength(1);
  });

  test("at the start is replaced as well, asked for again and again, and reported once", async () => {
    await nats.kill();
    await using first = await start("holdpoint.late.hints");
    await using second = await start("holdpoint.late.hints");
    await expectBothWays(first, second);
    await waitUntil(() => first.errors.length > 0);
    const server = createServer((socket) => socket.destroy());
    server.listen(nats.port, "127.0.0.1");
    for (let asked = 0; asked < 4; asked++) await once(server, "connection");
    await new Promise((resolve) => server.close(resolve));
    expect(first.errors).toHaveLength(1);
    await nats.start();
    await waitUntil(() => [first, second].every((end) => backs.get(end)?.count === 1));
  });

  test("for one server alone makes the others send their hints both ways", async () => {
    await using first = await open();
    const port = await freePort();
    await using alone = await start(SUBJECT, { servers: [`127.0.0.1:${port}`] });
    await waitUntil(() => alone.errors.length > 0);
    await waitUntil(() => first.received.includes("ALL"));
    await expectBothWays(first, alone);
    expect(first.errors).toEqual([]);
  });

  test("at the end keeps no server waiting", async () => {
    const end = await open();
    await nats.kill();
    await waitUntil(() => end.errors.length > 0);
    await end[Symbol.asyncDispose]();
    await nats.start();
  });
});

describe("NATS", () => {
  test("carries hints alone while all servers reach it, and again some time after one did not", async () => {
    // Servers of earlier tests asked for hints over the database.
    clock.ms += 60_000;
    await using first = await open();
    await using second = await open();
    const overDatabase: (string | undefined)[] = [];
    await using stack = new AsyncDisposableStack();
    const client = new Client({ ...database.connection });
    await client.connect();
    stack.defer(() => client.end());
    client.on("notification", ({ payload }) => overDatabase.push(payload));
    await client.query("listen holdpoint");
    /** Gives the notifications of the database before now. */
    const sent = async (mark: string): Promise<(string | undefined)[]> => {
      await client.query(`notify holdpoint, '${mark}'`);
      await waitUntil(() => overDatabase.includes(mark));
      return overDatabase.filter((payload) => payload?.startsWith("run:"));
    };
    // A slow start may have been an outage, which is over for the others only after a while.
    await expectBothWays(first, second);
    clock.ms += 60_000;
    first.notifier.send(["run:before"]);
    await waitUntil(() => second.received.includes("run:before"));
    expect(await sent("mark 1")).not.toContain("run:before");
    await client.query("notify holdpoint, 'peer-away'");
    await waitUntil(
      () => {
        first.notifier.send(["run:both"]);
        return overDatabase.includes("run:both");
      },
      { interval: 50 },
    );
    clock.ms += 15_000;
    first.notifier.send(["run:alone"]);
    await waitUntil(() => second.received.includes("run:alone"));
    expect(await sent("mark 2")).not.toContain("run:alone");
  });

  test("that lets a server neither publish nor subscribe is reported, not with every hint", async () => {
    const login = { user: "mute", password: "nats-pässword" };
    const end = await start("holdpoint.mute.hints", { login });
    const messages = (): string[] =>
      end.errors.map(({ message }) => message.replace(/ to ".*/, "").toLowerCase()).toSorted();
    const both = ["permissions violation for publish", "permissions violation for subscription"];
    await waitFor(() => expect(messages()).toEqual(both));
    end.notifier.send(["work"]);
    // It waits for the answer of NATS.
    await end[Symbol.asyncDispose]();
    expect(messages()).toEqual(both);
  });

  test("keeps two installations apart", async () => {
    const [mine, other] = [1, 2].map((byte) => natsSubject(createCipher(new Uint8Array(32).fill(byte))));
    expect(mine).not.toBe(other);
    expect(mine).toMatch(/^holdpoint\.[0-9a-f]{24}\.hints$/);
    await using first = await open(mine);
    await using second = await open(other);
    await using third = await open(mine);
    first.notifier.send(["run:mine"]);
    second.notifier.send(["run:other"]);
    await waitUntil(() => third.received.includes("run:mine"));
    await waitUntil(() => second.received.includes("run:other"));
    expect([first, third].flatMap(({ received }) => received)).not.toContain("run:other");
  });

  test("that refuses the password is reported without it", async () => {
    const login = { user: "holdpoint", password: "wrong-password" };
    await using end = await start("holdpoint.refused.hints", { login });
    await waitUntil(() => end.errors.length > 0);
    expect(String(end.errors[0])).toMatch(/authoriz/i);
    expect(JSON.stringify(end.errors.map((error) => [String(error), error.stack, error]))).not.toContain(
      "wrong-password",
    );
    expect(end.received.filter((topic) => topic !== "ALL")).toEqual([]);
  });
});

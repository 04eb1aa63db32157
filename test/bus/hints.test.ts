/** Hints are the same over both buses: they carry topics from every server to every server, and a gap is told. */
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHintListener } from "../../src/bus/hint-listener.ts";
import { createNatsHints, type HintListener, natsSubject } from "../../src/persistence/installation/nats-hints.ts";
import { createNotifier, type Notifier, type Topic } from "../../src/persistence/database/notifier.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type NatsServer, startNatsServer } from "../support/nats-server.ts";
import { Client } from "pg";
import { waitFor, waitUntil } from "../support/eventually.ts";

let database: TestDatabase;
let nats: NatsServer;
beforeAll(async () => {
  [database, nats] = await Promise.all([createTestDatabase(), startNatsServer()]);
});
afterAll(async () => {
  await nats[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** The hints' half of a server. */
interface End extends AsyncDisposable {
  notifier: Notifier;
  heard: (Topic | "ALL")[];
  errors: Error[];
  /** How often it was said that an outage is over; of NATS alone. */
  backs: number;
}

type Bus = (subject?: string) => Promise<End>;

function newEnd(): { end: Omit<End, "notifier" | keyof AsyncDisposable>; hub: HintListener } {
  const end = { heard: [] as End["heard"], errors: [] as Error[], backs: 0 };
  const hub = { signal: (topic: Topic) => end.heard.push(topic), signalAll: () => end.heard.push("ALL") };
  return { end, hub };
}

const overPostgres: Bus = async () => {
  const { end, hub } = newEnd();
  const onError = (error: Error): unknown => end.errors.push(error);
  const notifier = createNotifier(database.connection, onError);
  const watch = () => ({ reset: () => {}, changed: () => Promise.resolve(), [Symbol.dispose]: () => {} });
  const listener = await startHintListener(database.connection, { ...hub, watch, size: 0 }, onError);
  const close = async (): Promise<void> => {
    await notifier[Symbol.asyncDispose]();
    await listener[Symbol.asyncDispose]();
  };
  return Object.assign(end, { notifier, [Symbol.asyncDispose]: close });
};

const overNats: Bus = async (subject = "holdpoint.test.hints") => {
  const { end, hub } = newEnd();
  const hints = createNatsHints(nats.settings, subject, {
    onError: (error) => end.errors.push(error),
    onBack: () => (end.backs += 1),
  });
  hints.listen(hub);
  // It begins by looking at everything, and makes the others do so.
  await waitUntil(() => end.heard.length >= 2);
  end.heard.length = 0;
  return Object.assign(end, { notifier: hints.notifier, [Symbol.asyncDispose]: () => hints[Symbol.asyncDispose]() });
};

async function cutPostgres(): Promise<void> {
  const client = new Client({ ...database.connection });
  await client.connect();
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await client.end();
}

async function cutNats(): Promise<void> {
  await nats.kill();
  await nats.start();
}

describe.each<[string, Bus, () => Promise<void>]>([
  ["Postgres", overPostgres, cutPostgres],
  ["NATS", overNats, cutNats],
])("hints over %s", (_name, open, cut) => {
  test("go from each server to each, its own included, many of one moment as one", async () => {
    await using first = await open();
    await using second = await open();
    first.heard.length = 0;
    for (let i = 0; i < 100; i++) first.notifier.send(["run:run_1", "work"]);
    second.notifier.send(["token:tok_1", "bulk", "webhooks", "ws:ws_1", "org:org_1", "log:run_1"]);
    for (const { heard } of [first, second]) {
      const topics = (): string[] => heard.filter((each) => each !== "ALL");
      await waitUntil(() => topics().length >= 8);
      expect(topics().toSorted()).toEqual([
        "bulk",
        "log:run_1",
        "org:org_1",
        "run:run_1",
        "token:tok_1",
        "webhooks",
        "work",
        "ws:ws_1",
      ]);
    }
  });

  test("of thousands of runs at once all arrive", async () => {
    await using first = await open();
    await using second = await open();
    const topics = Array.from({ length: 5000 }, (_, number): Topic => `run:run_${String(number).padStart(26, "0")}`);
    first.notifier.send(topics);
    await waitUntil(() => new Set(second.heard).size >= topics.length);
    expect(new Set(second.heard)).toEqual(new Set(topics));
  });

  test("that were sent before the end arrive, later ones are dropped", async () => {
    await using second = await open();
    const first = await open();
    second.heard.length = 0;
    first.notifier.send(["run:kept"]);
    await first[Symbol.asyncDispose]();
    first.notifier.send(["run:dropped"]);
    await waitUntil(() => second.heard.includes("run:kept"));
    await using third = await open();
    third.notifier.send(["run:last"]);
    await waitUntil(() => second.heard.includes("run:last"));
    expect(second.heard).not.toContain("run:dropped");
    expect(first.errors).toEqual([]);
  });

  test("that were lost with a connection are made up for by looking at everything", async () => {
    await using first = await open();
    await using second = await open();
    second.heard.length = 0;
    await cut();
    first.notifier.send(["run:lost"]);
    await waitUntil(() => second.heard.includes("ALL"));
    await waitUntil(
      () => {
        first.notifier.send(["run:after"]);
        return second.heard.includes("run:after");
      },
      { interval: 50 },
    );
    expect(second.errors.length).toBeGreaterThan(0);
  });
});

describe("NATS", () => {
  test("that is away at the start is waited for, and said once", async () => {
    await nats.kill();
    const { end, hub } = newEnd();
    await using hints = createNatsHints(nats.settings, "holdpoint.late.hints", {
      onError: (error) => end.errors.push(error),
      onBack: () => (end.backs += 1),
    });
    hints.listen(hub);
    hints.notifier.send(["run:lost"]);
    await waitUntil(() => end.errors.length > 0);
    const server = createServer((socket) => socket.destroy());
    server.listen(nats.port, "127.0.0.1");
    // Asked again and again.
    for (let asked = 0; asked < 2; asked++) await once(server, "connection");
    await new Promise((resolve) => server.close(resolve));
    expect(end.errors).toHaveLength(1);
    await nats.start();
    await waitUntil(() => end.heard.includes("ALL"));
    expect(end.backs).toBe(1);
  });

  test("that is away at the end keeps nobody waiting", async () => {
    const end = await overNats();
    await nats.kill();
    await waitUntil(() => end.errors.length > 0);
    await end[Symbol.asyncDispose]();
    await nats.start();
  });

  test("that lets nobody speak or listen is told so, not with every hint", async () => {
    const { end } = newEnd();
    const login = { user: "mute", password: "nats-pässword" };
    const hints = createNatsHints({ ...nats.settings, login }, "holdpoint.mute.hints", {
      onError: (error) => end.errors.push(error),
      onBack: () => (end.backs += 1),
    });
    const said = (): string[] =>
      end.errors.map(({ message }) => message.replace(/ to ".*/, "").toLowerCase()).toSorted();
    const both = ["permissions violation for publish", "permissions violation for subscription"];
    await waitFor(() => expect(said()).toEqual(both));
    hints.notifier.send(["work"]);
    // It waits for what NATS says to that.
    await hints[Symbol.asyncDispose]();
    expect(said()).toEqual(both);
  });

  test("of two installations: neither hears the other", async () => {
    const [mine, other] = [1, 2].map((byte) => natsSubject(createCipher(new Uint8Array(32).fill(byte))));
    expect(mine).not.toBe(other);
    expect(mine).toMatch(/^holdpoint\.[0-9a-f]{24}\.hints$/);
    await using first = await overNats(mine);
    await using second = await overNats(other);
    await using third = await overNats(mine);
    first.notifier.send(["run:mine"]);
    second.notifier.send(["run:other"]);
    await waitUntil(() => third.heard.includes("run:mine"));
    await waitUntil(() => second.heard.includes("run:other"));
    expect([first, third].flatMap(({ heard }) => heard)).not.toContain("run:other");
  });

  test("that refuses the password is told without it, and asked for ever", async () => {
    const { end, hub } = newEnd();
    const login = { user: "holdpoint", password: "wrong-password" };
    await using hints = createNatsHints({ ...nats.settings, login }, "holdpoint.refused.hints", {
      onError: (error) => end.errors.push(error),
      onBack: () => (end.backs += 1),
    });
    hints.listen(hub);
    await waitUntil(() => end.errors.length > 0);
    expect(String(end.errors[0])).toMatch(/authoriz/i);
    expect(JSON.stringify(end.errors.map((error) => [String(error), error.stack, error]))).not.toContain(
      "wrong-password",
    );
    expect(end.heard).toEqual([]);
  });
});

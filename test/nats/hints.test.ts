import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { createNatsHints, natsSubject } from "../../src/persistence/installation/nats-hints.ts";
import { describeHints, type HintsEnd, newEnd } from "../bus/hint-cases.ts";
import { waitFor, waitUntil } from "../support/eventually.ts";
import { type NatsServer, startNatsServer } from "../support/nats-server.ts";

let nats: NatsServer;
beforeAll(async () => {
  nats = await startNatsServer();
});
afterAll(() => nats[Symbol.asyncDispose]());

async function open(subject = "holdpoint.test.hints"): Promise<HintsEnd> {
  const { end, listener } = newEnd();
  const hints = createNatsHints(nats.settings, subject, {
    onError: (error) => end.errors.push(error),
    onBack: () => undefined,
  });
  hints.listen(listener);
  // It begins by looking at everything, and makes the others do so.
  await waitUntil(() => end.heard.length >= 2);
  end.heard.length = 0;
  return Object.assign(end, { notifier: hints.notifier, [Symbol.asyncDispose]: () => hints[Symbol.asyncDispose]() });
}

describeHints("NATS", open, async () => {
  await nats.kill();
  await nats.start();
});

describe("NATS", () => {
  test("that is away at the start is waited for, and said once", async () => {
    await nats.kill();
    const { end, listener } = newEnd();
    let backCount = 0;
    await using hints = createNatsHints(nats.settings, "holdpoint.late.hints", {
      onError: (error) => end.errors.push(error),
      onBack: () => (backCount += 1),
    });
    hints.listen(listener);
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
    expect(backCount).toBe(1);
  });

  test("that is away at the end keeps nobody waiting", async () => {
    const end = await open();
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
      onBack: () => undefined,
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
    await using first = await open(mine);
    await using second = await open(other);
    await using third = await open(mine);
    first.notifier.send(["run:mine"]);
    second.notifier.send(["run:other"]);
    await waitUntil(() => third.heard.includes("run:mine"));
    await waitUntil(() => second.heard.includes("run:other"));
    expect([first, third].flatMap(({ heard }) => heard)).not.toContain("run:other");
  });

  test("that refuses the password is told without it, and asked for ever", async () => {
    const { end, listener } = newEnd();
    const login = { user: "holdpoint", password: "wrong-password" };
    await using hints = createNatsHints({ ...nats.settings, login }, "holdpoint.refused.hints", {
      onError: (error) => end.errors.push(error),
      onBack: () => undefined,
    });
    hints.listen(listener);
    await waitUntil(() => end.errors.length > 0);
    expect(String(end.errors[0])).toMatch(/authoriz/i);
    expect(JSON.stringify(end.errors.map((error) => [String(error), error.stack, error]))).not.toContain(
      "wrong-password",
    );
    expect(end.heard).toEqual([]);
  });
});

import { expect, it } from "vitest";
import { createHub, type Hub, type Watch } from "../../src/bus/hub.ts";
import { createInboxTails } from "../../src/bus/inbox-tails.ts";
import { TAIL_TIMING } from "../../src/bus/tail-timing.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { InboxRow } from "../../src/bus/tails.ts";
import type { Topic } from "../../src/persistence/database/notifier.ts";
import { waitUntil } from "../support/eventually.ts";

const AT = "2026-11-20T16:07:25.447Z";

/** An inbox whose reads are counted, with a tail over it. */
function openInbox(after: string | null, resumed: boolean) {
  const hub = createHub();
  const inbox = { digest: "a", reads: 0, whileRead: (): void => undefined, isOver: false };
  const { inbox: tail } = createInboxTails(hub, TAIL_TIMING);
  const rows = tail(
    async () => {
      inbox.reads += 1;
      const { digest, isOver } = inbox;
      inbox.whileRead();
      return isOver ? null : { digest, at: AT, accessVersion: 1 };
    },
    after,
    resumed,
  );
  const next = async (): Promise<string> => {
    const { value, done }: IteratorResult<InboxRow> = await rows.next();
    return done === true ? "OVER" : `${value.type} ${value.digest}`;
  };
  return { hub, inbox, next, end: () => rows.return?.() };
}

it("reads the inbox once for its beginning, and again with a hint", async () => {
  const { hub, inbox, next, end } = openInbox(null, false);
  expect(await next()).toBe("QUIET a");
  const following = next();
  await waitUntil(() => hub.size > 0);
  expect(inbox.reads).toBe(1);
  inbox.digest = "b";
  hub.signal("inbox");
  expect(await following).toBe("CHANGED b");
  expect(inbox.reads).toBe(2);
  await end();
  expect(hub.size).toBe(0);
});

it("keeps a hint that arrives while the first item is on its way", async () => {
  const { hub, inbox, next, end } = openInbox(null, false);
  inbox.whileRead = () => {
    inbox.whileRead = () => undefined;
    inbox.digest = "b";
    hub.signal("inbox");
  };
  expect([await next(), await next()]).toEqual(["QUIET a", "CHANGED b"]);
  await end();
});

it("continues with a change if the inbox is another one, else with a quiet item", async () => {
  const changed = openInbox("b", true);
  expect(await changed.next()).toBe("CHANGED a");
  await changed.end();
  const equal = openInbox("a", true);
  expect(await equal.next()).toBe("QUIET a");
  await equal.end();
});

it("reads once for many hints", async () => {
  const { hub, inbox, next, end } = openInbox("a", true);
  expect(await next()).toBe("QUIET a");
  const following = next();
  inbox.digest = "b";
  for (let hint = 0; hint < 100; hint++) hub.signal(hint % 2 === 0 ? "inbox" : "rights");
  expect(await following).toBe("CHANGED b");
  expect(inbox.reads).toBe(2);
  await end();
});

it("ends with its credential, and at once if it is left while it pauses", async () => {
  const over = openInbox("a", false);
  over.inbox.isOver = true;
  expect(await over.next()).toBe("OVER");
  const { hub, next, end } = openInbox("a", true);
  await next();
  const following = next();
  hub.signal("inbox");
  await end();
  expect(await following).toBe("OVER");
  expect(hub.size).toBe(0);
});

it("asks for the admission of a change, and ends where it is refused", async () => {
  const { inbox: tail } = createInboxTails(createHub(), TAIL_TIMING);
  const asked: number[] = [];
  const admit = (accessVersion: number): Promise<boolean> => {
    asked.push(accessVersion);
    return Promise.resolve(false);
  };
  const read = () => Promise.resolve({ digest: "b", at: AT, accessVersion: 7 });
  expect(await Array.fromAsync(tail(read, "a", false, undefined, admit))).toEqual([]);
  expect(asked).toEqual([7]);
});

it("waits for hints about inboxes and rights, as long as inboxes may, and says before where its reader is", async () => {
  const waits: number[] = [];
  const waiting = Promise.withResolvers<void>();
  const watch: Watch = {
    reset: () => undefined,
    changed: (timeoutMs) => {
      waits.push(timeoutMs);
      return waiting.promise;
    },
    [Symbol.dispose]: () => waiting.resolve(),
  };
  const watched: Topic[] = [];
  const hub: Hub = {
    ...createHub(),
    watch(...topics) {
      watched.push(...topics);
      return watch;
    },
  };
  const { inbox: tail } = createInboxTails(hub, TAIL_TIMING);
  const positions: string[] = [];
  const rows = tail(
    () => Promise.resolve({ digest: "a", at: AT, accessVersion: 1 }),
    "a",
    false,
    (digest) => void positions.push(digest),
  );
  const next = rows.next();
  await waitUntil(() => waits.length === 1);
  expect([watched, waits, positions]).toEqual([["inbox", "rights"], [LIMITS.inboxPollMs], ["a"]]);
  await rows.return?.();
  expect(await next).toEqual({ done: true, value: undefined });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHub } from "../../src/bus/hub.ts";
import { createTokenWatch } from "../../src/bus/token-watch.ts";
import type { TokenEnd, TokenHolder, TokenState } from "../../src/model/people/token-watch.ts";

const START = Date.parse("2026-01-02T03:04:05.000Z");
const TOKEN = { credentialId: "tok_1" };

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

function setup() {
  const hub = createHub();
  const reported: unknown[] = [];
  const state: { live: boolean; asked: number; broken: Error | null } = { live: true, asked: 0, broken: null };
  const watch = createTokenWatch(hub, {
    clock: () => new Date(),
    reportError: (error) => void reported.push(error),
    checkMs: 1000,
  });
  const isLive = async (): Promise<"VALID" | "ENDED"> => {
    state.asked += 1;
    if (state.broken !== null) throw state.broken;
    return state.live ? "VALID" : "ENDED";
  };
  const ended: string[] = [];
  const holder = (name: string): TokenHolder => ({ tokenEnded: () => void ended.push(name) });
  return { hub, reported, state, watch, isLive, ended, holder, after: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

describe("the holders of a token", () => {
  it("are notified once, soon after it was revoked", async () => {
    const { hub, state, watch, isLive, ended, holder, after } = setup();
    for (const name of ["one", "two"]) watch(TOKEN, isLive, holder(name));
    await after(0);
    hub.signal("token:tok_1");
    await after(0);
    expect([state.asked, ended]).toEqual([1, []]);
    state.live = false;
    hub.signal("token:tok_2");
    await after(0);
    expect(ended).toEqual([]);
    hub.signal("token:tok_1");
    await after(0);
    expect([state.asked, ended]).toEqual([2, ["one", "two"]]);
    hub.signal("token:tok_1");
    await after(10_000);
    expect([state.asked, ended, vi.getTimerCount()]).toEqual([2, ["one", "two"], 0]);
  });

  it("are notified without a hint, at the next check", async () => {
    const { state, watch, isLive, ended, holder, after } = setup();
    watch(TOKEN, isLive, holder("one"));
    await after(999);
    expect(state.asked).toBe(0);
    await after(1);
    expect([state.asked, ended]).toEqual([1, []]);
    state.live = false;
    await after(1000);
    expect([state.asked, ended]).toEqual([2, ["one"]]);
  });

  it("are notified when it expires, without a question", async () => {
    const { state, watch, isLive, ended, holder, after } = setup();
    const expiresAt = new Date(START + 1500).toISOString();
    watch({ ...TOKEN, expiresAt }, isLive, holder("one"));
    await after(1499);
    expect([state.asked, ended]).toEqual([1, []]);
    await after(1);
    expect([state.asked, ended]).toEqual([1, ["one"]]);
  });

  it("are notified at once of a token that has expired", async () => {
    const { state, watch, isLive, ended, holder, after } = setup();
    watch({ ...TOKEN, expiresAt: new Date(START - 1).toISOString() }, isLive, holder("one"));
    await after(0);
    expect([state.asked, ended]).toEqual([0, ["one"]]);
  });

  it("stay where the question fails, which is reported", async () => {
    const { reported, state, watch, isLive, ended, holder, after } = setup();
    watch(TOKEN, isLive, holder("one"));
    state.broken = new Error("The database is away.");
    await after(1000);
    expect([reported, ended]).toEqual([[state.broken], []]);
    state.broken = null;
    state.live = false;
    await after(1000);
    expect([reported.length, ended]).toEqual([1, ["one"]]);
  });

  it("are not notified once they left, and the last one ends the watch", async () => {
    const { hub, state, watch, isLive, ended, holder, after } = setup();
    const [one, two] = [holder("one"), holder("two")];
    const shared = watch(TOKEN, isLive, one);
    expect(watch(TOKEN, isLive, two)).toBe(shared);
    await after(0);
    shared.leave(one);
    shared.leave(one);
    expect(vi.getTimerCount()).toBe(1);
    state.live = false;
    hub.signal("token:tok_1");
    await after(0);
    expect(ended).toEqual(["two"]);
    shared.leave(two);
    const again = watch(TOKEN, isLive, one);
    expect(again).not.toBe(shared);
    await after(0);
    again.leave(one);
    await after(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(watch(TOKEN, isLive, one)).not.toBe(again);
    watch(TOKEN, isLive, one).leave(one);
    await after(10_000);
    expect([ended, state.asked, vi.getTimerCount()]).toEqual([["two"], 1, 0]);
  });

  it("are notified when the end has come that the last check gave", async () => {
    const { hub, watch, ended, holder, after } = setup();
    const at = (ms: number) => ({ until: new Date(START + ms).toISOString() });
    const states: TokenState[] = [at(300), "VALID", at(900), at(250)];
    const token = { ...TOKEN, expiresAt: new Date(START + 600).toISOString() };
    watch(token, async () => states.shift() ?? expect.fail("It was asked too often."), holder("one"));
    for (const atMs of [100, 200, 400]) {
      await after(atMs - (Date.now() - START));
      hub.signal("token:tok_1");
    }
    // The first end, the second and that with which it was opened have passed.
    await after(299);
    expect([states.length, ended]).toEqual([1, []]);
    hub.signal("token:tok_1");
    await after(0);
    expect([states.length, ended, vi.getTimerCount()]).toEqual([0, ["one"], 0]);
  });

  it("of a session are asked about the token that opened it", async () => {
    const { hub, state, watch, isLive, ended, holder, after } = setup();
    watch({ credentialId: "ses_1", openedById: "tok_1" }, isLive, holder("one"));
    await after(0);
    state.live = false;
    hub.signal("token:tok_1");
    await after(0);
    expect([state.asked, ended, vi.getTimerCount()]).toEqual([1, ["one"], 0]);
  });

  it("share a watch only with the same end", async () => {
    const { watch, isLive, ended, holder, after } = setup();
    watch(TOKEN, isLive, holder("for ever"));
    watch({ ...TOKEN, expiresAt: new Date(START + 100).toISOString() }, isLive, holder("short"));
    watch({ ...TOKEN, expiresAt: new Date(START + 200).toISOString() }, isLive, holder("long"));
    await after(100);
    expect(ended).toEqual(["short"]);
    await after(100);
    expect(ended).toEqual(["short", "long"]);
  });

  it("share a watch only with the same variant", async () => {
    const { watch, isLive, holder } = setup();
    const plain = watch(TOKEN, isLive, holder("plain"));
    const one = watch({ ...TOKEN, variant: "one" }, isLive, holder("one"));
    expect(watch({ ...TOKEN, variant: "one" }, isLive, holder("again"))).toBe(one);
    expect(watch({ ...TOKEN, variant: "two" }, isLive, holder("two"))).not.toBe(one);
    expect(one).not.toBe(plain);
  });

  it("are asked about when rights changed, and learn that they have less", async () => {
    const { hub, watch, after } = setup();
    const states: TokenState[] = ["VALID", "LESS_RIGHTS"];
    const ends: TokenEnd[] = [];
    watch(TOKEN, async () => states.shift() ?? expect.fail("It was asked too often."), {
      tokenEnded: (how) => void ends.push(how),
    });
    await after(0);
    hub.signal("rights");
    await after(0);
    expect([states.length, ends]).toEqual([1, []]);
    hub.signal("rights");
    await after(0);
    expect([ends, hub.size, vi.getTimerCount()]).toEqual([["LESS_RIGHTS"], 0, 0]);
    hub.signal("rights");
    await after(10_000);
    expect(ends).toEqual(["LESS_RIGHTS"]);
  });

  it("learn that their token has ended, also by its time", async () => {
    const { watch, after } = setup();
    const ends: TokenEnd[] = [];
    const holder = { tokenEnded: (how: TokenEnd) => void ends.push(how) };
    watch(TOKEN, async () => "ENDED", holder);
    watch({ ...TOKEN, expiresAt: new Date(START + 10).toISOString() }, () => expect.fail("Its time decides."), holder);
    await after(1000);
    expect(ends).toEqual(["ENDED", "ENDED"]);
  });

  it("are not notified where they leave during the check", async () => {
    const { hub, watch, ended, holder, after } = setup();
    const answer = Promise.withResolvers<TokenState>();
    const one = holder("one");
    const found = watch(TOKEN, () => answer.promise, one);
    await after(0);
    hub.signal("token:tok_1");
    await after(0);
    found.leave(one);
    answer.resolve("ENDED");
    await after(10_000);
    expect([ended, vi.getTimerCount()]).toEqual([[], 0]);
  });

  it("share a new watch that began during the last check of a former one", async () => {
    const { hub, watch, isLive, ended, holder, after } = setup();
    const answer = Promise.withResolvers<TokenState>();
    const [former, later] = [holder("former"), holder("later")];
    const first = watch(TOKEN, () => answer.promise, former);
    await after(0);
    hub.signal("token:tok_1");
    await after(0);
    first.leave(former);
    const second = watch(TOKEN, isLive, later);
    answer.resolve("ENDED");
    await after(0);
    expect(watch(TOKEN, isLive, holder("last"))).toBe(second);
    expect(ended).toEqual([]);
  });

  it("of a new watch are not those of a former one that is still ending", async () => {
    const { state, watch, isLive, ended, holder, after } = setup();
    const [former, later] = [holder("former"), holder("later")];
    const first = watch(TOKEN, isLive, former);
    first.leave(former);
    watch(TOKEN, isLive, later);
    first.leave(former);
    await after(0);
    state.live = false;
    await after(1000);
    expect(ended).toEqual(["later"]);
  });
});

it("asks at the interval of the limits where none is given", async () => {
  const hub = createHub();
  const watch = createTokenWatch(hub, { clock: () => new Date(), reportError: () => undefined });
  const isLive = vi.fn(async () => "VALID" as const);
  const holder = { tokenEnded: () => undefined };
  const found = watch(TOKEN, isLive, holder);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(isLive).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(isLive).toHaveBeenCalledOnce();
  found.leave(holder);
});

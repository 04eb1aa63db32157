import { describe, expect, test } from "vitest";
import { createCommandSlots } from "../../../src/runner/probe/command-slots.ts";

const never = new AbortController().signal;

describe("the users of commands", () => {
  test("go to the commands that wait, in their order, and not to a newer one", async () => {
    const slots = createCommandSlots([1001]);
    const first = await slots.take(never);
    const order: string[] = [];
    const note = async (name: string): Promise<void> => {
      using slot = await slots.take(never);
      order.push(`${name} ${slot?.uid}`);
    };
    const waiting = [note("second"), note("third")];
    first?.[Symbol.dispose]();
    // The user is free by now, and two commands have waited longer.
    await Promise.all([...waiting, note("newer")]);
    expect(order).toEqual(["second 1001", "third 1001", "newer 1001"]);
  });

  test("are not lost to a command that was aborted while it waited", async () => {
    const slots = createCommandSlots([1001]);
    const first = await slots.take(never);
    const stop = new AbortController();
    const aborted = slots.take(stop.signal);
    const waiting = slots.take(never);
    stop.abort();
    expect(await aborted).toBeNull();
    first?.[Symbol.dispose]();
    expect((await waiting)?.uid).toBe(1001);
  });

  test("are given to two commands at a time where there are two", async () => {
    const slots = createCommandSlots([1001, 1002]);
    const held = [await slots.take(never), await slots.take(never)];
    expect(held.map((slot) => slot?.uid)).toEqual([1001, 1002]);
    const waiting = [slots.take(never), slots.take(never)];
    for (const slot of held) slot?.[Symbol.dispose]();
    expect((await Promise.all(waiting)).map((slot) => slot?.uid)).toEqual([1001, 1002]);
  });

  test("are not given twice by a command that ends twice", async () => {
    const slots = createCommandSlots([null]);
    const first = await slots.take(never);
    first?.[Symbol.dispose]();
    first?.[Symbol.dispose]();
    expect((await slots.take(never))?.uid).toBeNull();
    const stop = new AbortController();
    const second = slots.take(stop.signal);
    stop.abort();
    expect(await second).toBeNull();
  });

  test("are not given to a command whose time is over", async () => {
    const slots = createCommandSlots([1001]);
    expect(await slots.take(AbortSignal.abort())).toBeNull();
    expect((await slots.take(never))?.uid).toBe(1001);
  });
});

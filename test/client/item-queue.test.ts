import { expect, test } from "vitest";

import { createItemQueue } from "../../src/client/item-queue.ts";

test("delivers what was pushed before it failed, then the error, then the end", async () => {
  const queue = createItemQueue<number>(() => {});
  queue.push(1);
  queue.push(0);
  queue.fail(new Error("gone"));
  queue.push(2);
  await expect(queue.next()).resolves.toEqual({ done: false, value: 1 });
  await expect(queue.next()).resolves.toEqual({ done: false, value: 0 });
  await expect(queue.next()).rejects.toThrow("gone");
  await expect(queue.next()).resolves.toEqual({ done: true, value: undefined });
});

test("a failure wakes the waiting reader, and is delivered once", async () => {
  const queue = createItemQueue<number>(() => {});
  const waiting = queue.next();
  queue.fail(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  await expect(queue.next()).resolves.toEqual({ done: true, value: undefined });
});

test("leaving early notifies the producer once, leaving after the end does not", async () => {
  let left = 0;
  const queue = createItemQueue<number>(() => (left += 1));
  await queue.return();
  await queue.return();
  expect(left).toBe(1);
  const ended = createItemQueue<number>(() => (left += 1));
  ended.end();
  await ended.return();
  expect(left).toBe(1);
});

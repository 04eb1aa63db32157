/** Measurements of a page, as Chromium reports them. */
import type { CDPSession, Page } from "playwright-core";

/** Gives the milliseconds that a step takes. */
export async function timed(step: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await step();
  return performance.now() - start;
}

/** Gives the bytes of the heap of scripts after a collection. */
export async function heapOf(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize;
}

/** Frames that took long, and tasks that blocked the page, between two calls. */
export interface Smoothness {
  /** The frames of more than 50 ms. */
  readonly slowFrames: number;
  /** The longest task, in milliseconds; 0 if none took more than 50. */
  readonly longestTaskMs: number;
}

/** Counts frames and long tasks of a page while a step runs. */
export async function smoothnessOf(page: Page, step: () => Promise<unknown>): Promise<Smoothness> {
  await page.evaluate(() => {
    const counts = { slowFrames: 0, longestTaskMs: 0, isOver: false };
    Object.assign(window, { smoothness: counts });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        counts.longestTaskMs = Math.max(counts.longestTaskMs, Math.round(duration));
    }).observe({ type: "longtask" });
    let former = performance.now();
    const frame = (at: number): void => {
      if (at - former > 50) counts.slowFrames += 1;
      former = at;
      if (!counts.isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await step();
  const [slowFrames = 0, longestTaskMs = 0] = await page.evaluate(() => {
    const counts: unknown = Reflect.get(window, "smoothness");
    if (typeof counts !== "object" || counts === null) return [];
    Reflect.set(counts, "isOver", true);
    return [Number(Reflect.get(counts, "slowFrames")), Number(Reflect.get(counts, "longestTaskMs"))];
  });
  return { slowFrames, longestTaskMs };
}

/** The first paint of the largest part, in milliseconds, and the sum of the shifts of the layout. */
export function paintOf(page: Page): Promise<{ lcpMs: number; shift: number }> {
  return page.evaluate(
    () =>
      new Promise<{ lcpMs: number; shift: number }>((resolve) => {
        const found = { lcpMs: 0, shift: 0 };
        new PerformanceObserver((list) => {
          found.lcpMs = Math.round(list.getEntries().at(-1)?.startTime ?? 0);
        }).observe({ type: "largest-contentful-paint", buffered: true });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) found.shift += Number(Reflect.get(entry, "value"));
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(found), 500);
      }),
  );
}

/** Gives the milliseconds from a key or a click to the next paint, of the slowest of those of a step; 0 if all took less than 16. */
export async function slowestInteraction(page: Page, step: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const slowest = { ms: 0 };
    Object.assign(window, { slowest });
    const options = { type: "event", durationThreshold: 16 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (Number(Reflect.get(entry, "interactionId")) > 0) slowest.ms = Math.max(slowest.ms, entry.duration);
    }).observe(options);
  });
  await step();
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        setTimeout(() => resolve(Number(Reflect.get(Object(Reflect.get(window, "slowest")), "ms"))), 500);
      }),
  );
}

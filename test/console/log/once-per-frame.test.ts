import { afterEach, expect, it, vi } from "vitest";
import { oncePerFrame } from "../../../src/console/log/once-per-frame.ts";

/** A browser whose frames the test draws. */
function stubFrames(): () => void {
  let planned: (() => void)[] = [];
  vi.stubGlobal("requestAnimationFrame", (callback: () => void) => planned.push(callback));
  return () => {
    const callbacks = planned;
    planned = [];
    for (const callback of callbacks) callback();
  };
}

afterEach(() => void vi.unstubAllGlobals());

it("calls back once a frame, however many calls there were", () => {
  const drawFrame = stubFrames();
  const callback = vi.fn<() => void>();
  const call = oncePerFrame(callback);
  for (let message = 0; message < 10; message += 1) call();
  expect(callback).not.toHaveBeenCalled();
  drawFrame();
  expect(callback).toHaveBeenCalledTimes(1);
  drawFrame();
  expect(callback).toHaveBeenCalledTimes(1);
  call();
  drawFrame();
  expect(callback).toHaveBeenCalledTimes(2);
});

it("plans the next frame for a call that comes during the callback", () => {
  const drawFrame = stubFrames();
  const callback = vi.fn<() => void>();
  const call = oncePerFrame(() => {
    callback();
    if (callback.mock.calls.length === 1) call();
  });
  call();
  drawFrame();
  drawFrame();
  expect(callback).toHaveBeenCalledTimes(2);
});

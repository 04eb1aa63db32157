import { expect, test } from "vitest";
import { queuePosition, readQueuePosition, writeQueuePosition } from "../../../src/model/run/queue-position.ts";

test.each([
  ["CONFIRMED", 0],
  ["REPLAN_REQUESTED", 1],
  ["QUEUED", 2],
] as const)("the position of a run that is %s is read as it was written", (status, place) => {
  const position = queuePosition({ status, priority: -7, number: 12 });
  expect(position).toEqual({ class: place, priority: -7, number: 12 });
  expect(readQueuePosition(writeQueuePosition(position))).toEqual(position);
});

test.each(["", "3.0.1", "2.0", "2.0.1.1", "2.1e3.1", "2.0.-1", "2.0.10000000000", 5, null])(
  "%j is no position",
  (text) => {
    expect(readQueuePosition(text)).toBeNull();
  },
);

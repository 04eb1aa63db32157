import { expect, test } from "vitest";
import { changedRetention, DEFAULT_RETENTION } from "../../../src/model/workspace/retention.ts";

const BEFORE = { logDays: 1, eventDays: 2, archiveDays: 3 };

test("a change keeps what is absent, and null is for ever", () => {
  expect(changedRetention(BEFORE, {})).toEqual(BEFORE);
  expect(changedRetention(BEFORE, { logDays: 10, eventDays: 20, archiveDays: 30 })).toEqual({
    logDays: 10,
    eventDays: 20,
    archiveDays: 30,
  });
  expect(changedRetention(BEFORE, { logDays: null, eventDays: null, archiveDays: null })).toEqual({
    logDays: null,
    eventDays: null,
    archiveDays: null,
  });
  expect(changedRetention(BEFORE, { eventDays: null })).toEqual({ ...BEFORE, eventDays: null });
});

test("a new organization keeps logs and events for ever, and archives of plans for 90 days", () => {
  expect(DEFAULT_RETENTION).toEqual({ logDays: null, eventDays: null, archiveDays: 90 });
});

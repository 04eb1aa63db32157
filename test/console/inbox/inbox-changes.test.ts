import { beforeEach, expect, it } from "vitest";
import { createInboxChanges } from "../../../src/console/inbox/inbox-changes.ts";

let noted: (type: string) => number;
beforeEach(() => {
  const { note, subscribe } = createInboxChanges();
  let count = 0;
  subscribe(() => {
    count += 1;
  });
  noted = (type) => {
    note({ __typename: type });
    return count;
  };
});

it("reads behind the beginning of the stream, then with each change, and not with a quiet item", () => {
  expect(["StreamCheckpoint", "StreamCheckpoint", "InboxChanged", "StreamCheckpoint"].map(noted)).toEqual([1, 1, 2, 2]);
});

it("reads behind an expired cursor, and behind the beginning that follows", () => {
  expect(["StreamCheckpoint", "CursorExpired", "StreamCheckpoint", "StreamCheckpoint"].map(noted)).toEqual([
    1, 2, 3, 3,
  ]);
});

it("reads for a type of a later release", () => {
  expect(["StreamCheckpoint", "InboxSomething"].map(noted)).toEqual([1, 2]);
});

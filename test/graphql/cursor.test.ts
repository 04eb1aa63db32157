import { GraphQLError } from "graphql";
import { describe, expect, test } from "vitest";

import { cursorWriter, namePosition, numberPosition, readCursor, writeCursor } from "../../src/graphql/kit/cursor.ts";
import { type PageArguments, toPageRequest } from "../../src/graphql/kit/page.ts";
import type { GraphqlContext } from "../../src/graphql/kit/context.ts";
import { readLog } from "../../src/graphql/plan/log.ts";
import type { Phase } from "../../src/model/run/phase.ts";

const list = { name: "runs", position: namePosition };

function issuesOf(args: PageArguments): unknown {
  try {
    return toPageRequest(args, list);
  } catch (error) {
    expect(error).toBeInstanceOf(GraphQLError);
    if (!(error instanceof GraphQLError)) throw error;
    expect(error.extensions["code"]).toBe("INVALID_INPUT");
    return error.extensions["issues"];
  }
}

describe("a cursor", () => {
  test.each(["a", "ab", "abc", "ä", 'log of "x"', "log of run_1"])(
    "of a page of %s is the same as one alone",
    (name) => {
      const write = cursorWriter(name);
      for (const position of [0, 7, 123_456, 2 ** 31 - 1, "run_1", "a", "-._Z9", "~?>", "ä", 'a"b', ""])
        expect(write(position)).toBe(writeCursor(name, position));
    },
  );

  test("gives its position back to its own list only", () => {
    const cursor = writeCursor("runs", "run_1");
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(readCursor("runs", cursor, namePosition)).toBe("run_1");
    expect(readCursor("runs of ws_1", cursor, namePosition)).toBeNull();
    expect(readCursor("runs", cursor, numberPosition)).toBeNull();
  });

  test.each([
    "",
    "!",
    "not base64!",
    "abc",
    Buffer.from("[1]").toString("base64url"),
    Buffer.from('[2,"runs","run_1"]').toString("base64url"),
    Buffer.from('[1,"runs","run_1",4]').toString("base64url"),
    Buffer.from('[1,"runs","\\u0000"]').toString("base64url"),
    Buffer.from(`[1,"runs","${"x".repeat(400)}"]`).toString("base64url"),
    `${writeCursor("runs", "run_1")}=`,
    "x".repeat(100_000),
  ])("that nobody made is none: %s", (cursor) => {
    expect(readCursor("runs", cursor, namePosition)).toBeNull();
  });

  test.each([-1, 0.5, 2 ** 31, 2 ** 60])("with an impossible number is none: %d", (number) => {
    expect(readCursor("log", writeCursor("log", number), numberPosition)).toBeNull();
  });
});

describe("the arguments of a page", () => {
  test("default to the first 20 items", () => {
    expect(issuesOf({})).toEqual({ limit: 20, direction: "forward", after: null, before: null });
    expect(issuesOf({ first: null, after: null })).toEqual(issuesOf({}));
  });

  test("go backward with `last`", () => {
    const before = writeCursor("runs", "run_7");
    expect(issuesOf({ last: 3, before })).toEqual({ limit: 3, direction: "backward", after: null, before: "run_7" });
    expect(issuesOf({ first: 0 })).toMatchObject({ limit: 0 });
  });

  test("say all that is wrong with them", () => {
    expect(issuesOf({ first: -1 })).toEqual([{ path: ["first"], message: "Must be 0 or more." }]);
    expect(issuesOf({ last: 101 })).toEqual([{ path: ["last"], message: "Must be at most 100." }]);
    expect(issuesOf({ first: 1, last: 1 })).toEqual([{ path: ["last"], message: "Give `first` or `last`, not both." }]);
    expect(issuesOf({ after: "?", before: writeCursor("log", 1) })).toEqual([
      { path: ["after"], message: "Must be a cursor that this list returned." },
      { path: ["before"], message: "Must be a cursor that this list returned." },
    ]);
  });
});

test.each([null, { id: "ph_1", kind: "PLAN", attempt: 1 } as Phase])(
  "a cursor of a log, of a run or of a phase, is of no use after a backup was restored",
  async (phase) => {
    const page = { items: [{ number: 1 }, { number: 2 }], hasNextPage: true, hasPreviousPage: false };
    const read = (epoch: string, after: string | null) => {
      const domain = { listLogLines: () => Promise.resolve(page) };
      return readLog({ epoch, domain } as unknown as GraphqlContext, "run_1", phase, { after });
    };
    const { endCursor } = (await read("", null)).pageInfo;
    await expect(read("", endCursor ?? "")).resolves.toBeDefined();
    await expect(read("abc123", endCursor ?? "")).rejects.toThrow(GraphQLError);
  },
);

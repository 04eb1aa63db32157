/** The cursors of feeds: what they give back, and that nothing can be read from them. */
import { describe, expect, it } from "vitest";
import { feedCursors } from "../../src/graphql/stream/feed-cursor.ts";
import { fakeCursorKey } from "../support/fake-tails.ts";

const EPOCH = "0123456789ab";
const AT = "2026-11-20T16:07:25.447Z";
const cursors = feedCursors(fakeCursorKey, "ws_1");

function textOf(cursor: string): string {
  return Buffer.from(cursor, "base64url").toString();
}

/** The sealed part of a cursor. */
function sealOf(cursor: string): string {
  const content: unknown = JSON.parse(textOf(cursor));
  return Array.isArray(content) ? String(content[2]) : expect.fail("A cursor is a list.");
}

function forged(list: string, seal: unknown): string {
  return Buffer.from(JSON.stringify([1, list, seal])).toString("base64url");
}

describe("the cursor of a feed", () => {
  it.each([0, 1, 255, 256, 2 ** 32, 2 ** 48 - 1])("gives the position %d back, with and without a time", (position) => {
    expect(cursors.read(cursors.write({ epoch: EPOCH, position }))).toEqual({ epoch: EPOCH, position });
    expect(cursors.read(cursors.write({ epoch: EPOCH, position }, AT))).toEqual({ epoch: EPOCH, position });
  });

  it("is read by every server with the same key, and always the same for one change", () => {
    const other = feedCursors(fakeCursorKey, "ws_1");
    const cursor = cursors.write({ epoch: EPOCH, position: 7 });
    expect(other.read(cursor)).toEqual({ epoch: EPOCH, position: 7 });
    expect(other.write({ epoch: EPOCH, position: 7 })).toBe(cursor);
  });

  it("shows neither the position nor the epoch, nor whether two of them are near", () => {
    const seals = Array.from({ length: 300 }, (_, position) => sealOf(cursors.write({ epoch: EPOCH, position })));
    for (const [position, seal] of seals.entries()) {
      expect(seal).not.toContain(EPOCH);
      const hex = Buffer.from(seal, "base64url").toString("hex");
      expect(hex).not.toContain(position.toString(16).padStart(12, "0"));
    }
    // Of neighbours hardly a byte is the same: 1 of 256 by chance.
    const pairs = seals
      .slice(1)
      .map((seal, index) => [Buffer.from(seal, "base64url"), Buffer.from(seals[index] ?? "", "base64url")]);
    const equal = pairs.flatMap(([one, other]) => [...(one ?? [])].filter((byte, at) => byte === other?.[at]));
    expect(equal.length).toBeLessThan(pairs.length);
    expect(new Set(seals).size).toBe(seals.length);
  });

  it("of a quiet item does not show whether the feed has moved since the one before", () => {
    const here = { epoch: EPOCH, position: 7 };
    const later = "2026-11-20T16:08:25.447Z";
    const seals = [cursors.write(here), cursors.write(here, AT), cursors.write(here, later)];
    expect(new Set(seals).size).toBe(3);
  });

  it("that is invented opens to another epoch, so that it expires", () => {
    const seal = sealOf(cursors.write({ epoch: EPOCH, position: 7 }));
    for (let at = 0; at < 16; at += 1) {
      const block = Buffer.from(seal, "base64url");
      block[at] = (block[at] ?? 0) ^ 1;
      expect(cursors.read(forged("feed of ws_1", block.toString("base64url")))?.epoch).not.toBe(EPOCH);
    }
    const zero = cursors.read(forged("feed of ws_1", "A".repeat(22)));
    expect(zero?.epoch).toMatch(/^[0-9a-f]{12}$/);
    expect(zero?.epoch).not.toBe(EPOCH);
  });

  it("belongs to its subject, also under the name of another one", () => {
    const other = feedCursors(fakeCursorKey, "ws_2");
    const cursor = cursors.write({ epoch: EPOCH, position: 7 });
    expect(other.read(cursor)).toBeNull();
    expect(other.read(forged("feed of ws_2", sealOf(cursor)))?.epoch).not.toBe(EPOCH);
  });

  it.each(["", "?", "A".repeat(21), "A".repeat(23), `${"A".repeat(21)}=`, `${EPOCH}.7`, ["A".repeat(22)], null])(
    "is none with the seal %j",
    (seal) => {
      expect(cursors.read(forged("feed of ws_1", seal))).toBeNull();
    },
  );
});

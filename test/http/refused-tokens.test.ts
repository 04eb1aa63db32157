import { expect, it } from "vitest";
import { createRefusedTokens } from "../../src/http/route/refused-tokens.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";

function open() {
  const time = { now: 1_000_000 };
  return { time, refused: createRefusedTokens(() => new Date(time.now)) };
}

it("a token is refused until its time has passed, and no other one is", () => {
  const { time, refused } = open();
  refused.note("a", 1000);
  expect([refused.retryAfterMs("a"), refused.retryAfterMs("b")]).toEqual([1000, 0]);
  time.now += 999;
  expect(refused.retryAfterMs("a")).toBe(1);
  time.now += 1;
  expect(refused.retryAfterMs("a")).toBe(0);
  time.now -= 1;
  expect(refused.retryAfterMs("a")).toBe(0);
});

it("a clock that was set back shuts no token out", () => {
  const { time, refused } = open();
  refused.note("a", 1000);
  time.now -= 100_000;
  expect(refused.retryAfterMs("a")).toBe(0);
});

it("only so many tokens are remembered", () => {
  const { refused } = open();
  refused.note("first", 1000);
  for (let number = 0; number < LIMITS.refusedTokensKnown; number += 1) refused.note(`${number}`, 1000);
  expect([refused.retryAfterMs("first"), refused.retryAfterMs("0")]).toEqual([0, 1000]);
});

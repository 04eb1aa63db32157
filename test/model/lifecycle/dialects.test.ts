import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type RunDialects, toDialects } from "../../../src/model/lifecycle/dialects.ts";
import { RUN_KINDS, RUN_LEGS, RUN_OUTCOMES } from "../../../src/model/lifecycle/run-kind.ts";
import { type RunPosition, reachablePositions } from "../../../src/model/lifecycle/legal-changes.ts";
import { isTerminal, RUN_STATUSES } from "../../../src/model/lifecycle/run-status.ts";

/** One row of the oracle: a place, and its words. `""` stands for a vendor that says nothing. */
interface OracleRow {
  place: RunPosition;
  words: string[];
}

function member<const Word extends string>(set: readonly Word[], text: string | undefined): Word {
  const found = set.find((word) => word === text);
  if (found === undefined) throw new Error(`The oracle says "${text}".`);
  return found;
}

const text = readFileSync(new URL("../../fixtures/dialects.csv", import.meta.url), "utf8");
const [head = "", ...lines] = text.trim().split(/\r?\n/);
const oracle = lines.map((line): OracleRow => {
  const [kind, status, leg, outcome, ...words] = line.split(",");
  return {
    place: {
      kind: member(RUN_KINDS, kind),
      status: member(RUN_STATUSES, status),
      leg: member(RUN_LEGS, leg),
      outcome: outcome === "" ? null : member(RUN_OUTCOMES, outcome),
    },
    words,
  };
});

function nameOf({ kind, status, leg, outcome }: RunPosition): string {
  return [kind, status, leg, outcome ?? ""].join(",");
}

/** The words in the order of the oracle's columns. */
function wordsOf({ amnify, spacelift, forgecroft, smartDeploy, hcp }: RunDialects): string[] {
  const { plan, apply, unlock, discarded } = forgecroft;
  return [amnify, spacelift, plan ?? "", apply ?? "", unlock ?? "", String(discarded), smartDeploy.status, hcp];
}

test("the oracle has the columns that are compared", () => {
  expect(head).toBe(
    "kind,status,leg,outcome,amnify,spacelift,forgecroft_plan,forgecroft_apply,forgecroft_unlock," +
      "forgecroft_discarded,smart_deploy,hcp",
  );
  expect(oracle.length).toBe(141);
});

test("the places that the table can reach are the rows of the oracle", () => {
  expect(reachablePositions().map(nameOf).toSorted()).toEqual(oracle.map(({ place }) => nameOf(place)).toSorted());
});

describe("every place has the oracle's words", () => {
  test.each(oracle.map(({ place, words }) => [nameOf(place), place, words] as const))("%s", (_name, place, words) => {
    expect(wordsOf(toDialects(place, false))).toEqual(words);
  });
});

test("smart deploy's success is open until the end, then true for what finished and did not skip its apply", () => {
  for (const { place } of oracle) {
    const finished = place.status === "FINISHED" && place.outcome !== "APPLY_SKIPPED";
    const success = isTerminal(place.status) ? finished : null;
    expect([nameOf(place), toDialects(place, false).smartDeploy.success]).toEqual([nameOf(place), success]);
  }
});

test("a fenced runner shows as force_canceled to HCP, and nowhere else", () => {
  for (const { place, words } of oracle) {
    const expected = place.status === "STOPPED" ? [...words.slice(0, -1), "force_canceled"] : words;
    expect(wordsOf(toDialects(place, true))).toEqual(expected);
  }
});

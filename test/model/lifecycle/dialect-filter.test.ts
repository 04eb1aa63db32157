import { describe, expect, it } from "vitest";
import { type DialectFilter, positionsInDialect } from "../../../src/model/lifecycle/dialect-filter.ts";
import { toDialects } from "../../../src/model/lifecycle/dialects.ts";
import { reachablePositions } from "../../../src/model/lifecycle/legal-changes.ts";

const found = (filter: DialectFilter): string[] =>
  positionsInDialect(filter).map(({ kind, status, leg, outcome, forced }) =>
    [kind, status, leg, outcome ?? "-", forced ? "forced" : "asked"].join(" "),
  );

describe("a filter by a vendor's words", () => {
  it("has every place of a run, forced and not, where nothing is asked for", () => {
    const places = positionsInDialect({});
    expect(places).toHaveLength(2 * reachablePositions().length);
    expect(places.filter(({ forced }) => forced)).toHaveLength(reachablePositions().length);
    expect(places).toContainEqual({ kind: "DEPLOY", status: "QUEUED", leg: "PLAN", outcome: null, forced: false });
  });

  it.each<[string, DialectFilter, string[]]>([
    ["amnify", { amnify: ["DESTROYED"] }, ["DESTROY FINISHED DESTROY DESTROYED", "DESTROY FINISHED PLAN NO_CHANGES"]],
    ["spacelift", { spacelift: ["PENDING_REVIEW"] }, ["PLAN AWAITING_PLAN_APPROVAL PLAN -"]],
    ["hcp", { hcp: ["policy_soft_failed"] }, ["PLAN REJECTED PLAN -"]],
    ["forgecroft's unlock", { forgecroftUnlock: ["UNLOCKED"] }, ["UNLOCK FINISHED TASK UNLOCKED"]],
    ["forgecroft's apply", { forgecroftApply: ["IN_PROGRESS"] }, ["TASK PERFORMING TASK -"]],
    ["forgecroft's plan", { forgecroftPlan: ["PENDING_POLICY"] }, ["PLAN POLICY_CHECKING PLAN -"]],
    ["smart deploy", { smartDeploy: ["QUEUED"] }, ["DEPLOY QUEUED PLAN -", "DEPLOY READY PLAN -"]],
  ])("has the places that %s has for them, and no other", (_, filter, some) => {
    const places = found(filter);
    for (const place of some) expect(places).toEqual(expect.arrayContaining([`${place} asked`, `${place} forced`]));
    expect(places.length).toBeLessThan(found({}).length / 2);
  });

  it("distinguishes a run whose runner was fenced from one that was asked to stop", () => {
    expect(found({ hcp: ["force_canceled"] }).every((place) => / STOPPED .* forced$/.test(place))).toBe(true);
    expect(found({ hcp: ["canceled"] }).every((place) => / STOPPED .* asked$/.test(place))).toBe(true);
    expect(found({ hcp: ["force_canceled"] })).not.toEqual([]);
  });

  it("takes several words as either of them, and several vendors as all of them", () => {
    const either = found({ hcp: ["confirmed", "planned"] });
    expect(either.toSorted()).toEqual([...found({ hcp: ["confirmed"] }), ...found({ hcp: ["planned"] })].toSorted());
    const filters: DialectFilter[] = [
      { amnify: ["APPLYING"] },
      { spacelift: ["CONFIRMED"] },
      { hcp: ["confirmed"] },
      { forgecroftPlan: ["COMPLETED"] },
      { forgecroftApply: ["QUEUED"] },
      { smartDeploy: ["DEPLOYING"] },
    ];
    const all = found(Object.assign({}, ...filters));
    expect(all).toContain("DEPLOY CONFIRMED APPLY - asked");
    expect(all).toEqual(found({}).filter((place) => filters.every((filter) => found(filter).includes(place))));
    const queued = { amnify: ["QUEUED"], spacelift: ["QUEUED"], hcp: ["pending"], forgecroftPlan: ["QUEUED"] } as const;
    const others: DialectFilter[] = [
      { amnify: ["COMPLETED"] },
      { spacelift: ["FINISHED"] },
      { hcp: ["applied"] },
      { forgecroftPlan: ["COMPLETED"] },
      { forgecroftApply: ["COMPLETED"] },
      { forgecroftUnlock: ["COMPLETED"] },
      { smartDeploy: ["COMPLETED"] },
    ];
    expect(found(queued)).toContain("DEPLOY QUEUED PLAN - asked");
    for (const other of others) expect(found({ ...queued, ...other })).toEqual([]);
  });

  it("has nothing where a list is empty, and where a vendor has no word", () => {
    expect(found({ hcp: [] })).toEqual([]);
    const unlocks = reachablePositions().filter(({ kind }) => kind === "UNLOCK");
    const words = unlocks.map((place) => toDialects(place, false).forgecroft.unlock).filter((word) => word !== null);
    expect(new Set(found({ forgecroftUnlock: words }).map((place) => place.split(" ")[0]))).toEqual(
      new Set(["UNLOCK"]),
    );
  });
});

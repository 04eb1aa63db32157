/** The state of a changeset against a naive reading of its members, over random histories of their runs. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHANGESET_KINDS } from "../../../src/model/changeset/changeset.ts";
import { CHANGESET_STATES, type ChangesetState, stateOf } from "../../../src/model/changeset/changeset-state.ts";
import { type MemberStanding, type StandingMember, standingOf } from "../../../src/model/changeset/member-standing.ts";
import { legalChanges } from "../../../src/model/lifecycle/legal-changes.ts";
import { isTerminal } from "../../../src/model/lifecycle/run-status.ts";
import { type NaiveMember, naiveState } from "../../support/changeset-oracle.ts";

const CHANGES = legalChanges().filter(({ kind }) => CHANGESET_KINDS.some((one) => one === kind));

interface Member extends StandingMember {
  isSuperseded: boolean;
}

const FRESH: Member = { run: null, problem: null, isSuperseded: false };

/** The figures of the members, counted one by one. */
function figuresOf(members: readonly Member[]) {
  const standings = members.map(standingOf);
  const count = (...some: MemberStanding[]) => standings.filter((standing) => some.includes(standing)).length;
  return {
    workspaces: members.length,
    ended: count("APPLIED", "PLANNED", "NO_CHANGES", "SKIPPED", "UNWANTED", "FAILED"),
    failed: count("FAILED"),
    unwanted: count("UNWANTED"),
    applied: count("APPLIED"),
    planned: count("PLANNED"),
    waiting: count("WAITING"),
    approved: count("APPROVED"),
    supersededById: members.some(({ isSuperseded }) => isSuperseded) ? "cs_newer" : null,
  };
}

const naiveOf = ({ run, problem, isSuperseded }: Member): NaiveMember => ({
  problem: problem === null ? null : "no",
  discarded: problem === "DISCARDED",
  status: run?.status ?? null,
  leg: run?.leg ?? null,
  outcome: run?.outcome ?? null,
  superseded_by: isSuperseded ? "cs_newer" : null,
});

/** A step of a history: which member, and which of the changes that its run may make. */
const STEP = fc.record({ member: fc.nat(3), change: fc.nat(10_000), what: fc.nat(99) });
const HISTORY = fc.record({
  kind: fc.constantFrom(...CHANGESET_KINDS),
  size: fc.integer({ min: 1, max: 4 }),
  steps: fc.array(STEP, { minLength: 20, maxLength: 60, size: "max" }),
});

/** The member after a step: its run changes as the machine allows, is tried again, or cannot be created. */
function after(member: Member, kind: string, { change, what }: { change: number; what: number }): Member {
  const { run, problem } = member;
  if (problem !== null) return member;
  if (run === null && what < 5) return { ...member, problem: what < 2 ? "DISCARDED" : "OTHER" };
  const isOver = run !== null && isTerminal(run.status);
  if (isOver && what >= 20) return member;
  const from = isOver ? null : run;
  const next = CHANGES.filter(
    (one) => one.kind === kind && (one.from?.status ?? null) === (from?.status ?? null) && one.from?.leg === from?.leg,
  );
  // Most runs go on, so that some are applied.
  const well = next.filter(({ to }) => to.status === "FINISHED" || !isTerminal(to.status));
  const some = what < 85 && well.length > 0 ? well : next;
  const to = some[change % some.length]?.to;
  if (to === undefined) return member;
  return { ...member, run: { ...to, overtaken: false }, isSuperseded: to.status === "CANCELED" && what % 2 === 0 };
}

describe("the state of a changeset", () => {
  it("is what a naive reading of its members says, after each step of a history", () => {
    const met = new Set<ChangesetState>();
    fc.assert(
      fc.property(HISTORY, fc.boolean(), ({ kind, size, steps }, isDiscarded) => {
        const members = Array.from({ length: size }, () => FRESH);
        for (const step of steps) {
          const index = step.member % size;
          members[index] = after(members[index] ?? FRESH, kind, step);
          const discardedAt = isDiscarded ? "2026-11-26T10:00:00.000Z" : null;
          const state = stateOf({ discardedAt, figures: figuresOf(members) });
          met.add(state);
          expect(state).toBe(naiveState(members.map(naiveOf), discardedAt));
        }
      }),
      { numRuns: 1000 },
    );
    expect(met).toEqual(new Set(CHANGESET_STATES));
  });

  it("is never APPLIED unless a run was applied, and never stops being about changes once one was", () => {
    fc.assert(
      fc.property(HISTORY, ({ kind, size, steps }) => {
        const members = Array.from({ length: size }, () => FRESH);
        for (const step of steps) {
          const index = step.member % size;
          members[index] = after(members[index] ?? FRESH, kind, step);
          const state = stateOf({ discardedAt: null, figures: figuresOf(members) });
          const hasApplied = members.some((member) => standingOf(member) === "APPLIED");
          expect(["APPLIED", "PARTLY_APPLIED"].includes(state)).toBe(
            hasApplied &&
              members.every(({ run, problem }) => problem !== null || (run !== null && isTerminal(run.status))),
          );
          if (hasApplied) expect(["APPLYING", "APPLIED", "PARTLY_APPLIED"]).toContain(state);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("stays APPLYING while a runner fetches a run that is approved", () => {
    const run = (status: "CONFIRMED" | "PREPARING" | "INITIALIZING" | "APPLYING") => {
      const leg = status === "CONFIRMED" ? "PLAN" : "APPLY";
      return { ...FRESH, run: { status, leg, outcome: null, overtaken: false } } as const;
    };
    const states = (["CONFIRMED", "PREPARING", "INITIALIZING", "APPLYING"] as const).map((status) =>
      stateOf({ discardedAt: null, figures: figuresOf([run(status)]) }),
    );
    expect(new Set(states)).toEqual(new Set(["APPLYING"]));
  });
});

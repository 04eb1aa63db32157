import { expect, it } from "vitest";
import { type LoggedPhase, sectionAt, sectionsOf } from "../../../src/console/log/sections.ts";

const AT = "2026-11-29T10:00:00.000Z";
const phase = (kind: string, more: Partial<LoggedPhase> = {}): LoggedPhase => ({
  id: `${kind} ${more.attempt ?? 1}`,
  kind,
  attempt: 1,
  status: "PASSED",
  startedAt: AT,
  finishedAt: "2026-11-29T10:00:09.000Z",
  firstLine: 1,
  ...more,
});

it("names repeated phases by their attempts, and leaves out those without lines", () => {
  const sections = sectionsOf(
    [
      phase("PREPARE"),
      phase("PLAN", { firstLine: 5, status: "LOST" }),
      phase("PLAN_APPROVAL", { firstLine: null }),
      phase("PLAN", { attempt: 2, firstLine: 9, status: "RUNNING", finishedAt: null }),
    ],
    Date.parse(AT) + 30_000,
  );
  expect(sections.map(({ title, tone, first, seconds }) => [title, tone, first, seconds])).toEqual([
    ["prepare", "good", 1, 9],
    ["plan 1", "bad", 5, 9],
    ["plan 2", "busy", 9, 30],
  ]);
  expect([0, 1, 4, 5, 8, 9, 100].map((line) => sectionAt(sections, line))).toEqual([-1, 0, 0, 1, 1, 2, 2]);
});

it("shows a status of a later release, and a phase that has not begun", () => {
  const [section] = sectionsOf([phase("DANCE", { status: "RESTING", startedAt: null, finishedAt: null })], 0);
  expect(section).toMatchObject({ title: "dance", status: "RESTING", tone: "quiet", seconds: null });
});

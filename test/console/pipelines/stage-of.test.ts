import { expect, it } from "vitest";
import { isInStage } from "../../../src/console/pipelines/stage-of.ts";
import { stagesText } from "../../../src/console/pipelines/stage-text.ts";

const having = (...labels: readonly (readonly string[])[]) => ({
  runs: {
    edges: labels.map((of) => ({ node: { workspace: { labels: of } } })),
  },
});

it.each([
  ["env:dev", having(["env:dev", "team:web"], ["env:dev"]), true],
  ["env", having(["env:dev"], ["env:prod"]), true],
  ["env:dev", having(["env:dev"], ["env:prod"]), false],
  ["env:d", having(["env:dev"]), false],
  ["en", having(["env:dev"]), false],
  ["env:dev", having(), false],
])("finds by the label %s whether a changeset is in a stage", (label, changeset, expected) => {
  expect(isInStage(changeset, { label })).toBe(expected);
});

it("writes the stages with when each gets commits", () => {
  const stage = { label: "env", automatic: false, soakMinutes: 0 };
  const stages = [
    { ...stage, name: "dev" },
    { ...stage, name: "stage", automatic: true, soakMinutes: 30 },
    { ...stage, name: "prod", soakMinutes: 1440 },
  ];
  expect(stagesText(stages)).toBe("dev → stage (automatic, soaks 30 min) → prod (soaks 1 d)");
});

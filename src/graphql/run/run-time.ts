/** What time has done to a run. */
import type { ExceededLimit, Run } from "../../model/run/run.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { RunRef } from "../kit/refs.ts";
import { ofWholeRun } from "./whole-run.ts";

const ExceededLimitEnum = describedEnum<ExceededLimit>("ExceededLimit", "Which limit a run exceeded at work.", {
  RUN: "That of the whole leg: `planSeconds` or `applySeconds`.",
  SILENCE: "That of time without a line of output: `silenceSeconds`.",
});

const ExpiredRef = builder.objectRef<NonNullable<Run["expired"]>>("Expired").implement({
  description: "A limit that was exceeded while a runner had the run.",
  fields: (t) => ({
    limit: t.expose("limit", { type: ExceededLimitEnum, description: "Which one." }),
    at: t.expose("at", { type: "DateTime", description: "When the runner was asked to end its work." }),
  }),
});

builder.objectFields(RunRef, (t) => ({
  escalatedAt: t.field({
    ...ofWholeRun(({ escalatedAt }) => escalatedAt),
    type: "DateTime",
    nullable: true,
    description:
      "Since when it waits at its gate longer than it may, where that ends nothing (`approvalTimeoutAction: ESCALATE`); null when it leaves the gate.",
  }),
  expired: t.field({
    type: ExpiredRef,
    nullable: true,
    description:
      "The limit that it exceeded at work: its runner was asked to end that. It ends TIMED_OUT, unless it was done by then.",
    ...ofWholeRun(({ expired }) => expired),
  }),
}));

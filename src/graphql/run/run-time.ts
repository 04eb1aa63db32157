/** The fields of a run that show exceeded time limits. */
import type { ExceededLimit, Run } from "../../model/run/run.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { RunRef } from "../kit/refs.ts";
import { wholeRunField } from "./whole-run.ts";

const ExceededLimitEnum = describedEnum<ExceededLimit>(
  "ExceededLimit",
  "The limit that a run exceeded on its runner.",
  {
    RUN: "The limit of the whole leg: `planSeconds` or `applySeconds`.",
    SILENCE: "The limit of time without output: `silenceSeconds`.",
  },
);

const ExpiredRef = builder.objectRef<NonNullable<Run["expired"]>>("Expired").implement({
  description: "A limit that the run exceeded on its runner.",
  fields: (t) => ({
    limit: t.expose("limit", { type: ExceededLimitEnum, description: "The limit." }),
    at: t.expose("at", { type: "DateTime", description: "When the runner was asked to stop." }),
  }),
});

builder.objectFields(RunRef, (t) => ({
  escalatedAt: t.field({
    ...wholeRunField(({ escalatedAt }) => escalatedAt),
    type: "DateTime",
    nullable: true,
    description:
      "When the run exceeded its time at the gate, with `approvalTimeoutAction: ESCALATE`. `null` if it did not, or has left the gate.",
  }),
  expired: t.field({
    type: ExpiredRef,
    nullable: true,
    description:
      "The limit that the run exceeded on its runner, which was asked to stop. The run ends TIMED_OUT unless it ended first. `null` if it exceeded none.",
    ...wholeRunField(({ expired }) => expired),
  }),
}));

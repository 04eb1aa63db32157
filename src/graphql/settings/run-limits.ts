import type { ApprovalTimeoutAction } from "../../model/approval/run-rules.ts";
import {
  ATTEMPTS_PER_LEG,
  RUN_DURATIONS,
  WAIT_DURATIONS,
  type WrittenLimits,
  type WrittenRunLimits,
} from "../../model/workspace/run-limits.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";

const ApprovalTimeoutActionEnum = describedEnum<ApprovalTimeoutAction>(
  "ApprovalTimeoutAction",
  "The effect on a run that waits for people longer than its limit. The run is never approved by it.",
  {
    END: "The run ends: REJECTED at the plan gate, DISCARDED at the apply gate.",
    ESCALATE: "The run continues to wait, and `Run.escalatedAt` is set.",
  },
);

const WORDS = {
  leaseSeconds: "The time without a heartbeat after which a runner loses a run.",
  forceStopAfterSeconds: "The time after a request to stop from which an admin may stop the run by force.",
  planSeconds: "The time limit of one leg PLAN or REPLAN, from its claim by a runner.",
  applySeconds: "The time limit of one leg APPLY, DESTROY or TASK, from its claim by a runner.",
  silenceSeconds: "The time for which a run may execute without a line of output.",
  planApprovalSeconds: "The time for which a run may wait at the plan gate; 0 means no limit.",
  applyApprovalSeconds: "The time for which a run may wait at the apply gate; 0 means no limit.",
  queueSeconds:
    "The time for which a run may wait in the queue, from its creation, its scheduled time or its replan; 0 means no limit.",
  attemptsPerLeg:
    "The number of attempts of a leg whose runner is lost, before the run fails. Applies are never tried again.",
  approvalTimeoutAction: "The effect when a run waits for people longer than its limit.",
} as const satisfies Record<keyof WrittenRunLimits, string>;

export const RunLimitsRef = builder.objectRef<WrittenLimits>("RunLimits").implement({
  description:
    "The limits that were set at this level, in seconds. `null` if the limit of the organization, or the default, applies. 0 means no limit.",
  fields: (t) => ({
    leaseSeconds: t.int({ nullable: true, description: WORDS.leaseSeconds, resolve: (set) => set.leaseSeconds }),
    attemptsPerLeg: t.int({ nullable: true, description: WORDS.attemptsPerLeg, resolve: (set) => set.attemptsPerLeg }),
    forceStopAfterSeconds: t.int({
      nullable: true,
      description: WORDS.forceStopAfterSeconds,
      resolve: (set) => set.forceStopAfterSeconds,
    }),
    planSeconds: t.int({ nullable: true, description: WORDS.planSeconds, resolve: (set) => set.planSeconds }),
    applySeconds: t.int({ nullable: true, description: WORDS.applySeconds, resolve: (set) => set.applySeconds }),
    silenceSeconds: t.int({ nullable: true, description: WORDS.silenceSeconds, resolve: (set) => set.silenceSeconds }),
    planApprovalSeconds: t.int({
      nullable: true,
      description: WORDS.planApprovalSeconds,
      resolve: (set) => set.planApprovalSeconds,
    }),
    applyApprovalSeconds: t.int({
      nullable: true,
      description: WORDS.applyApprovalSeconds,
      resolve: (set) => set.applyApprovalSeconds,
    }),
    approvalTimeoutAction: t.field({
      type: ApprovalTimeoutActionEnum,
      nullable: true,
      description: WORDS.approvalTimeoutAction,
      resolve: (set) => set.approvalTimeoutAction,
    }),
    queueSeconds: t.int({ nullable: true, description: WORDS.queueSeconds, resolve: (set) => set.queueSeconds }),
  }),
});

export const EffectiveRunLimitsRef = builder.objectRef<WrittenRunLimits>("EffectiveRunLimits").implement({
  description:
    "The effective limits in seconds: those of the workspace, else of its organization, else the defaults. 0 means no limit.",
  fields: (t) => ({
    leaseSeconds: t.exposeInt("leaseSeconds", { description: WORDS.leaseSeconds }),
    attemptsPerLeg: t.exposeInt("attemptsPerLeg", { description: WORDS.attemptsPerLeg }),
    forceStopAfterSeconds: t.exposeInt("forceStopAfterSeconds", { description: WORDS.forceStopAfterSeconds }),
    planSeconds: t.exposeInt("planSeconds", { description: WORDS.planSeconds }),
    applySeconds: t.exposeInt("applySeconds", { description: WORDS.applySeconds }),
    silenceSeconds: t.exposeInt("silenceSeconds", { description: WORDS.silenceSeconds }),
    planApprovalSeconds: t.exposeInt("planApprovalSeconds", { description: WORDS.planApprovalSeconds }),
    applyApprovalSeconds: t.exposeInt("applyApprovalSeconds", { description: WORDS.applyApprovalSeconds }),
    approvalTimeoutAction: t.expose("approvalTimeoutAction", {
      type: ApprovalTimeoutActionEnum,
      description: WORDS.approvalTimeoutAction,
    }),
    queueSeconds: t.exposeInt("queueSeconds", { description: WORDS.queueSeconds }),
  }),
});

function described(field: keyof WrittenRunLimits): string {
  const bounds = [...RUN_DURATIONS, ...WAIT_DURATIONS].find((each) => each.field === field);
  return bounds === undefined ? WORDS[field] : `${WORDS[field]} From ${bounds.least} to ${bounds.most}.`;
}

export const RunLimitsInputRef = builder.inputType("RunLimitsInput", {
  description:
    "The limits of runs, in seconds. An absent field is not changed; null restores the limit of the organization or the default.",
  fields: (t) => ({
    leaseSeconds: t.int({ description: described("leaseSeconds") }),
    attemptsPerLeg: t.int({
      description: `${WORDS.attemptsPerLeg} From ${ATTEMPTS_PER_LEG.least} to ${ATTEMPTS_PER_LEG.most}.`,
    }),
    forceStopAfterSeconds: t.int({ description: described("forceStopAfterSeconds") }),
    planSeconds: t.int({ description: described("planSeconds") }),
    applySeconds: t.int({ description: described("applySeconds") }),
    silenceSeconds: t.int({ description: described("silenceSeconds") }),
    planApprovalSeconds: t.int({ description: described("planApprovalSeconds") }),
    applyApprovalSeconds: t.int({ description: described("applyApprovalSeconds") }),
    approvalTimeoutAction: t.field({ type: ApprovalTimeoutActionEnum, description: WORDS.approvalTimeoutAction }),
    queueSeconds: t.int({ description: described("queueSeconds") }),
  }),
});

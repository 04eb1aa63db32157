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
  "What happens to a run that waited for people longer than it may. It is never approved by that.",
  {
    END: "It ends: REJECTED at the plan gate, DISCARDED at the apply gate.",
    ESCALATE: "It goes on waiting, and `Run.escalatedAt` says since when that is too long.",
  },
);

const WORDS = {
  leaseSeconds: "After so long without a word from its runner, a run is taken from it.",
  forceStopAfterSeconds: "How old a request to stop must be before an admin may stop the run by force.",
  planSeconds: "How long one leg PLAN or REPLAN may take, from its claim by a runner.",
  applySeconds: "How long one leg APPLY, DESTROY or TASK may take, from its claim by a runner.",
  silenceSeconds: "How long a run may be at work without a line of output.",
  planApprovalSeconds: "How long a run may wait at the plan gate; 0: as long as it takes.",
  applyApprovalSeconds: "How long a run may wait at the apply gate; 0: as long as it takes.",
  queueSeconds:
    "How long a run may wait for its turn and for a runner, from its creation (or the time that it was scheduled for) or its replan; 0: as long as it takes.",
  attemptsPerLeg: "How often a leg is begun before a run that loses its runners fails; applies are never tried again.",
  approvalTimeoutAction: "What happens when people took too long.",
} as const satisfies Record<keyof WrittenRunLimits, string>;

export const RunLimitsRef = builder.objectRef<WrittenLimits>("RunLimits").implement({
  description: "The limits that were set here, in seconds; null: what stands above holds. 0: none.",
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
  description: "The limits that hold, in seconds: its own, else those of its organization, else the defaults. 0: none.",
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
  description: "Limits of runs, in seconds. An absent field stays as it is; null: what stands above holds again.",
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

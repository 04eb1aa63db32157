import {
  DEFAULT_VERIFICATION,
  type DestroyVerification,
  type InconclusiveAction,
  type VerificationSettings,
} from "../../model/workspace/verification-settings.ts";
import { VERIFICATION_LIMITS } from "../../model/workspace/verification-limits.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { WorkspaceRef } from "../kit/refs.ts";

const InconclusiveActionEnum = describedEnum<InconclusiveAction>(
  "InconclusiveAction",
  "The consequence of a verification without a result.",
  {
    ASK: "The run waits for `concludeVerification`, for at most a day, and fails then.",
    FAIL: "The run fails. It does not go back.",
    PASS: "The run ends FINISHED. A person judges it if a required probe was changed.",
  },
);

const DestroyVerificationEnum = describedEnum<DestroyVerification>(
  "DestroyVerification",
  "The verification of a run of kind DESTROY by probes.",
  {
    NONE: "There is none.",
    EXPECT_GONE: "The targets, as they were before, must not answer as expected any more.",
  },
);

const { initialDelaySeconds, intervalSeconds, windowSeconds, successesInARow, failFastAfter } = VERIFICATION_LIMITS;
const bounds = ({ least, most }: { least: number; most: number }): string => `from ${least} to ${most}`;
const WORDS = {
  initialDelaySeconds: `The pause between the apply and the first probes, ${bounds(initialDelaySeconds)}.`,
  intervalSeconds: `The pause between two rounds of probes, ${bounds(intervalSeconds)}.`,
  windowSeconds: `The time from the first probes to the end, ${bounds(windowSeconds)}; at least intervalSeconds × successesInARow.`,
  successesInARow: `How often each required probe must pass in a row, all at the same time, ${bounds(successesInARow)}.`,
  failFastAfter: `The failures in a row of one required probe that end it early, ${bounds(failFastAfter)}.`,
  onInconclusive: "The consequence of a verification without a result.",
  afterDestroy: "Whether probes verify a run of kind DESTROY.",
} as const satisfies Record<keyof VerificationSettings, string>;

const VerificationSettingsRef = builder.objectRef<VerificationSettings>("VerificationSettings").implement({
  description: "How the applies of a workspace are verified. An approved run keeps those of its approval.",
  fields: (t) => ({
    initialDelaySeconds: t.exposeInt("initialDelaySeconds", { description: WORDS.initialDelaySeconds }),
    intervalSeconds: t.exposeInt("intervalSeconds", { description: WORDS.intervalSeconds }),
    windowSeconds: t.exposeInt("windowSeconds", { description: WORDS.windowSeconds }),
    successesInARow: t.exposeInt("successesInARow", { description: WORDS.successesInARow }),
    failFastAfter: t.exposeInt("failFastAfter", {
      nullable: true,
      description: `${WORDS.failFastAfter} \`null\` if none do.`,
    }),
    onInconclusive: t.expose("onInconclusive", { type: InconclusiveActionEnum, description: WORDS.onInconclusive }),
    afterDestroy: t.expose("afterDestroy", { type: DestroyVerificationEnum, description: WORDS.afterDestroy }),
  }),
});

builder.objectField(WorkspaceRef, "verificationSettings", (t) =>
  t.field({
    type: VerificationSettingsRef,
    description: "How its applies are verified, if it has probes or external checks for that.",
    resolve: ({ verification }) => verification,
  }),
);

export const VERIFICATION_INPUT_WORDS =
  "How its applies are verified. Changing it needs the permission to change gates.";

const withDefault = (field: keyof VerificationSettings): string =>
  `${WORDS[field]} The default is ${String(DEFAULT_VERIFICATION[field])}.`;

export const VerificationSettingsInputRef = builder.inputType("VerificationSettingsInput", {
  description:
    "How applies are verified. An absent field is not changed; null clears `failFastAfter` and is invalid elsewhere.",
  fields: (t) => ({
    initialDelaySeconds: t.int({ description: withDefault("initialDelaySeconds") }),
    intervalSeconds: t.int({ description: withDefault("intervalSeconds") }),
    windowSeconds: t.int({ description: withDefault("windowSeconds") }),
    successesInARow: t.int({ description: withDefault("successesInARow") }),
    failFastAfter: t.int({ description: `${WORDS.failFastAfter} Null, the default: none do.` }),
    onInconclusive: t.field({ type: InconclusiveActionEnum, description: withDefault("onInconclusive") }),
    afterDestroy: t.field({ type: DestroyVerificationEnum, description: withDefault("afterDestroy") }),
  }),
});

import type { ProbeSource, ProbeWeight } from "../../model/probe/probe.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const ProbeWeightEnum = describedEnum<ProbeWeight>("ProbeWeight", "Whether a probe must pass.", {
  REQUIRED: "The workspace works only if it passes.",
  INFORMATIONAL: "It is shown.",
});

export const ProbeSourceEnum = describedEnum<ProbeSource>("ProbeSource", "The prober that sends a probe.", {
  SERVER: "The server.",
  RUNNERS: "Runners of the workspace's pool.",
});

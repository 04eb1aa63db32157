import type { ProbeSource, ProbeWeight } from "../../model/probe/probe.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const ProbeWeightEnum = describedEnum<ProbeWeight>("ProbeWeight", "How much a probe counts.", {
  REQUIRED: "The workspace works only if it passes.",
  INFORMATIONAL: "It is shown.",
});

export const ProbeFromEnum = describedEnum<ProbeSource>("ProbeFrom", "Where the requests of a probe come from.", {
  SERVER: "From the server, which reaches public addresses and those that HOLDPOINT_PROBE_ALLOW names.",
  RUNNERS:
    "From runners of the workspace's pool, which reach private networks. One of them must be started with HOLDPOINT_RUNNER_PROBES; else such a probe is inconclusive.",
});

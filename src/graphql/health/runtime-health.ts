import type { RuntimeHealth, TargetHealth } from "../../model/health/runtime-health.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const RuntimeHealthEnum = describedEnum<RuntimeHealth>(
  "RuntimeHealth",
  "Whether what was applied works, by the probes that are sent all the time.",
  {
    HEALTHY: "It answers well.",
    DEGRADED: "A part of it does not answer, or it is slow, or a certificate ends soon.",
    UNREACHABLE: "It does not answer. Of a workspace: no required target does.",
    UNKNOWN: "Too little is known, also because no prober was there. That is never an outage.",
  },
);

export const TargetHealthRef = builder.objectRef<TargetHealth>("TargetHealth").implement({
  description: "The health of one target of a probe.",
  fields: (t) => ({
    number: t.exposeInt("number", { description: "The element of the list that `[*]` names, from 0." }),
    address: t.exposeString("address", {
      nullable: true,
      description: "The URL, or `host:port`. `null` if it is not known, for example because an output is missing.",
    }),
    status: t.expose("status", { type: RuntimeHealthEnum, description: "Its health." }),
    since: t.expose("since", {
      type: "DateTime",
      nullable: true,
      description: "When its health last changed. `null` if it was never known.",
    }),
    lastSampleAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "The newest probe that is known; those of the last minutes may be missing. `null` if there is none.",
      resolve: ({ sampledAt }) => sampledAt,
    }),
    latencyMs: t.exposeInt("latencyMs", {
      nullable: true,
      description: "The time of its newest answer. `null` if there was none.",
    }),
    failure: t.exposeString("failure", {
      nullable: true,
      description: "The kind of its last failure, such as `CONNECT`, `STATUS` or `LATENCY`. `null` if it was good.",
    }),
    reason: t.exposeString("reason", { nullable: true, description: "Why it is not HEALTHY; `null` if it is." }),
  }),
});

/** The mutation that tries a probe. */
import type { TestedTarget } from "../../domain/probe/test-probe.ts";
import { PROBE_FAILURES, type ProbeFailure } from "../../model/probe/probe-sample.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { mutation } from "../kit/mutation.ts";
import { ProbeInputRef, toProbe } from "../settings/probe.ts";

const ProbeFailureEnum = describedEnum<ProbeFailure>(
  "ProbeFailure",
  `One of the ${PROBE_FAILURES.length} ways in which a probe fails.`,
  {
    UNRESOLVED: "The target is not known, for example because an output is missing.",
    NO_PROBER: "No server or runner could send the request.",
    ADDRESS_REFUSED: "The address may not be probed from there.",
    NAME: "The name of the host cannot be resolved.",
    CONNECT: "The connection was refused, reset or closed early.",
    TIMEOUT: "There was no whole answer in time.",
    TLS: "TLS could not be agreed, or the certificate is not valid.",
    PROTOCOL: "The answer breaks the rules of its protocol, or the limits of probes.",
    STATUS: "The status is not as expected.",
    BODY: "The answer does not contain what is expected.",
    GRAPHQL_ERRORS: "The answer has errors of GraphQL.",
    EXPRESSION: "The expression is not true for the answer.",
    LATENCY: "The answer was good but slow.",
    CERTIFICATE_ENDS: "The certificate is valid, but not long enough.",
    COMMAND: "The command failed.",
    CHECKS: "A `check` block of the state fails.",
    EXTERNAL: "The external check did not pass.",
  },
);

const TestedTargetRef = builder.objectRef<TestedTarget>("TestedProbeTarget").implement({
  description: "The result of one attempt at a target of a probe. It shows no part of the answer.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The address, with outputs filled in." }),
    ok: t.exposeBoolean("ok", { description: "Whether the answer is good." }),
    latencyMs: t.exposeInt("latencyMs", {
      nullable: true,
      description: "The time of the answer. `null` if there was none.",
    }),
    failure: t.expose("failure", {
      type: ProbeFailureEnum,
      nullable: true,
      description: "The error. `null` if there was none.",
    }),
    reason: t.exposeString("reason", { nullable: true, description: "The failure in words. `null` if there is none." }),
  }),
});

mutation("testProbe", {
  description: "Tries a probe now, on the newest outputs of the workspace. Nothing is kept.",
  argument: "The probe to try.",
  input: {
    description: "A probe, which need not be one of the workspace.",
    fields: (t) => ({
      workspaceId: t.id({ required: true, description: "The workspace whose outputs and variables it uses." }),
      probe: t.field({ type: ProbeInputRef, required: true, description: "The probe." }),
    }),
  },
  success: {
    description: "The probe was tried, or there is a reason why not.",
    fields: (t) => ({
      targets: t.field({
        type: [TestedTargetRef],
        description: "The result of each target.",
        resolve: ({ value }) => [...value.targets],
      }),
      problem: t.string({
        nullable: true,
        description: "Why nothing was tried. `null` if something was.",
        resolve: ({ value }: { value: { problem: string | null } }) => value.problem,
      }),
    }),
  },
  run: ({ testProbe }, caller, { input }) =>
    testProbe(caller, { workspaceId: input.workspaceId, probe: toProbe(input.probe) }),
});

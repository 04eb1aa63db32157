import type { ProbeProgress } from "../../model/verification/verification.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { runLoader, RunRef, verificationLoader, verificationOfRunLoader, VerificationRef } from "../kit/refs.ts";
import { VerificationStatusEnum } from "../kit/verification-status.ts";
import { ProbeFromEnum, ProbeWeightEnum } from "./probe-enums.ts";

/** The progress with the number of passes that are needed. */
type ShownProgress = ProbeProgress & { needed: number };

const ProbeProgressRef = builder.objectRef<ShownProgress>("ProbeProgress").implement({
  description: "How far one target of a probe is.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name of the probe." }),
    weight: t.expose("weight", { type: ProbeWeightEnum, description: "Whether it must pass." }),
    from: t.expose("from", { type: ProbeFromEnum, description: "The prober that sends it." }),
    resolvedTarget: t.exposeString("resolvedTarget", {
      nullable: true,
      description: "The target with its templates filled in. `null` if it is not known, or it has none.",
    }),
    passesInARow: t.exposeInt("passesInARow", { description: "The newest attempts that passed without a failure." }),
    needed: t.exposeInt("needed", { description: "The passes in a row that are needed." }),
    attempts: t.exposeInt("attempts", { description: "All attempts." }),
    lastAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When an attempt last found something out. `null` if none did.",
      resolve: ({ sampledAt }) => sampledAt,
    }),
    lastFailure: t.exposeString("lastFailure", {
      nullable: true,
      description: "Why the last attempt that did not pass did not. `null` if all passed.",
    }),
  }),
});

addNode("verification", "Verification", verificationLoader);
VerificationRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description: "The verification of an apply: whether what was applied works.",
  interfaces: [NodeRef],
  fields: (t) => ({
    run: t.field({
      type: RunRef,
      description: "The run.",
      resolve: async ({ runId }, _args, { loaders }) => present(await loaders.load(runLoader, runId), `Run ${runId}`),
    }),
    status: t.expose("status", { type: VerificationStatusEnum, description: "The status." }),
    startedAt: t.expose("startedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the apply ended. `null` before.",
    }),
    endsBy: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it ends at the latest; a judgement is awaited for a day. `null` before the apply ended.",
      resolve: ({ endsAt }) => endsAt,
    }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it ended. `null` before.",
    }),
    baselinePassed: t.exposeBoolean("baselinePassed", {
      nullable: true,
      description: "Whether all required probes passed before the apply. `null` if that is not known.",
    }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "Why it failed, or has no result. `null` otherwise.",
    }),
    probes: t.field({
      type: [ProbeProgressRef],
      description: "The targets of the probes, in their order.",
      resolve: ({ probes, settings }) => probes.map((probe) => ({ ...probe, needed: settings.successesInARow })),
    }),
    concludedBy: t.field({
      type: ActorRef,
      nullable: true,
      description: "The person who judged it. `null` if none did.",
      resolve: ({ concludedById }, _args, { loaders }) =>
        concludedById === null ? null : loaders.load(actorLoader, concludedById),
    }),
    comment: t.exposeString("comment", { nullable: true, description: "Their reason. `null` if there is none." }),
  }),
});

builder.objectField(RunRef, "verification", (t) =>
  t.field({
    type: VerificationRef,
    nullable: true,
    description: "The verification of its apply. `null` if the run is not approved yet, or nothing is verified.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(verificationOfRunLoader, id),
  }),
);

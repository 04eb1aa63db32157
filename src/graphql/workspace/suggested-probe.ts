/** Probes that fit what a workspace deploys, for people to add. */
import { suggestedProbes, type SuggestedProbe } from "../../model/workspace/suggested-probes.ts";
import { knownShape } from "../../model/workspace/deploy-shape.ts";
import { builder } from "../kit/builder.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { ProbeFromEnum, ProbeWeightEnum } from "../verification/probe-enums.ts";
import { outputsLoader } from "./workspace.ts";
import { ProbeKindEnum, probesLoader, ProbeUseEnum } from "../settings/probe.ts";

const SuggestedProbeRef = builder.objectRef<SuggestedProbe>("SuggestedProbe").implement({
  description:
    "A probe that fits what a workspace deploys. Nothing is sent until it is added to `probes`, with these fields as its `ProbeInput` and the defaults of all others.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "A name that no probe of the workspace has." }),
    kind: t.expose("kind", { type: ProbeKindEnum, description: "The way in which it asks." }),
    use: t.expose("use", { type: ProbeUseEnum, description: "When it is asked." }),
    weight: t.expose("weight", {
      type: ProbeWeightEnum,
      description: "How much it counts: INFORMATIONAL, so that it fails no run.",
    }),
    from: t.expose("from", { type: ProbeFromEnum, description: "Where its requests come from." }),
    target: t.exposeString("target", { description: "The URL or `host:port`, with outputs as templates." }),
    outputs: t.stringList({
      description: "The names of the outputs in the target.",
      resolve: ({ outputs }) => [...outputs],
    }),
    reason: t.exposeString("reason", { description: "Why it is suggested: the shape, and the outputs." }),
  }),
});

builder.objectField(WorkspaceRef, "suggestedProbes", (t) =>
  t.field({
    type: [SuggestedProbeRef],
    description:
      "Probes that fit `deployShape`: HTTP to the output `url`, or to each of `urls` for MULTI, and TCP to `host` and `port` for SERVER and EXISTING_DOCKER. One is left out if its outputs are missing, sensitive or no addresses, or if a probe asks its target already.",
    resolve: async (workspace, _args, { loaders }) => {
      const { shape } = knownShape(workspace);
      if (shape === null) return [];
      const [outputs, probes] = await Promise.all([
        loaders.load(outputsLoader, workspace.id),
        loaders.load(probesLoader, workspace.id),
      ]);
      return suggestedProbes(shape, outputs, probes);
    },
  }),
);

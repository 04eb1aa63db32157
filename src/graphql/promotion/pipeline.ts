import type { PromotionPipeline, PromotionStage } from "../../model/promotion/promotion.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderById } from "../kit/loader.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { OrganizationRef, organizationLoader } from "../kit/refs.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";

export const pipelineLoader = loaderById(["promotionPipeline"], (domain, caller, ids) => domain.pipelines(caller, ids));

export const STAGE_WORDS = {
  name: "The name, by which `promoteChangeset` names the stage.",
  label: "The label of its workspaces: `key` or `key:value`.",
  automatic: "Whether what was pushed to a branch and applied by the stage before is promoted to it without a person.",
  soakMinutes: "For how many minutes the stage before must have been applied, before runs of this one start.",
} as const;

const StageRef = builder.objectRef<PromotionStage>("PromotionStage").implement({
  description: "The workspaces of one label, and when they get the commits of the stage before.",
  fields: (t) => ({
    name: t.exposeString("name", { description: STAGE_WORDS.name }),
    label: t.exposeString("label", { description: STAGE_WORDS.label }),
    automatic: t.exposeBoolean("automatic", { description: STAGE_WORDS.automatic }),
    soakMinutes: t.exposeInt("soakMinutes", { description: STAGE_WORDS.soakMinutes }),
  }),
});

export const PipelineRef = builder.objectRef<PromotionPipeline>("PromotionPipeline");
addNode("promotionPipeline", "PromotionPipeline", pipelineLoader);
PipelineRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description: "Stages of workspaces, such as dev, stage and prod, through which commits move.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name, which is unique in the organization." }),
    organization: t.field({
      type: OrganizationRef,
      description: "The organization of the pipeline.",
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        present(await loaders.load(organizationLoader, organizationId), `Organization of ${id}`),
    }),
    stages: t.field({
      type: [StageRef],
      description: "The stages, in order. The first one gets its commits by pushes or by people.",
      resolve: ({ stages }) => [...stages],
    }),
    owner: t.field({
      type: ActorRef,
      description: "The actor under whose rights it promotes automatically: the one that created or changed it last.",
      resolve: async ({ id, ownerId }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, ownerId), `Owner of ${id}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
  }),
});

const EdgeRef = edgeRef<PromotionPipeline>("PromotionPipeline", "pipeline");
const ConnectionRef = connectionRef<PromotionPipeline>("PromotionPipeline", "A page of pipelines, oldest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: PipelineRef, description: "The pipeline.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The pipelines.", resolve: (connection) => connection.edges }),
);

builder.objectField(OrganizationRef, "pipelines", (t) =>
  t.field({
    type: ConnectionRef,
    extensions: requiredPermissions("RUN_READ"),
    description:
      "The pipelines of promotion, oldest first. Empty unless the caller may read the runs of the whole organization.",
    args: pageArgs(),
    resolve: async ({ id }, args, { caller, domain }) => {
      const name = `pipelines of ${id}`;
      const request = toPageRequest(args, { name, position: namePosition });
      return toConnection(name, await domain.listPipelines(caller, id, request), (pipeline) => pipeline.id);
    },
  }),
);

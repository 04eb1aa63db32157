/** The versions of a state. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { StateResources } from "../../domain/state/state-domain.ts";
import type { StateResource } from "../../model/state/state-file.ts";
import type { StateReading, StateVersion, StateWay } from "../../model/state/state-version.ts";
import { ActorRef } from "../people/actor.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import type { ReadPosition } from "../kit/cursor.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { inputError, present } from "../kit/errors.ts";
import { NodeRef } from "../kit/node.ts";
import { RunRef, StateVersionRef, WorkspaceRef } from "../kit/refs.ts";
import { OutputRef } from "../workspace/workspace.ts";

const StateWayEnum = describedEnum<StateWay>("StateWay", "How somebody took a state.", {
  DOWNLOAD: "By its address, `GET /state-versions/<id>`.",
  BACKEND: "By an engine that somebody ran by hand.",
});

const StateReadingRef = builder.objectRef<StateReading>("StateReading").implement({
  description: "That somebody took a state, with everything secret that is in it.",
  fields: (t) => ({
    actor: t.field({
      type: ActorRef,
      description: "Who took it.",
      resolve: async ({ actorId }, _args, { loaders }) =>
        present(await loaders.actor.load(actorId), `The reader ${actorId}`),
    }),
    way: t.expose("way", { type: StateWayEnum, description: "How." }),
    at: t.expose("at", { type: "DateTime", description: "When." }),
  }),
});

export const StateResourceRef = builder.objectRef<StateResource>("StateResource").implement({
  description: "An instance of a resource in a state. Data sources are none, and attributes are not shown.",
  fields: (t) => ({
    address: t.exposeString("address", {
      description: "As the engine names it; of an old one that is still to be destroyed, with its key.",
    }),
    type: t.exposeString("type", { description: "Its type, for example `aws_instance`." }),
    name: t.exposeString("name", { description: "Its name in the configuration." }),
    module: t.exposeString("module", { nullable: true, description: "Its module; null in the root module." }),
    provider: t.exposeString("provider", {
      description: "Its provider, for example `registry.terraform.io/hashicorp/aws`.",
    }),
  }),
});

const StateResourcesRef = builder.objectRef<StateResources>("StateResources").implement({
  description: "The resources of a state.",
  fields: (t) => ({
    totalCount: t.int({ description: "How many there are.", resolve: ({ count }) => count }),
    nodes: t.field({
      type: [StateResourceRef],
      description: `The first ${LIMITS.stateResourcesShown} of them, in the order of the state.`,
      resolve: ({ resources }) => resources,
    }),
  }),
});

/** What cannot be looked into, as an error that says why. */
export function tooLarge(path: string): Error {
  const message = `A state of more than ${LIMITS.stateExaminedBytes} bytes is not looked into: download it.`;
  return inputError([{ path: [path], message }]);
}

StateVersionRef.implement({
  extensions: asksFor("workspace:read"),
  description:
    "A state of a workspace as it was kept at some time. Its file holds secrets: see `GET /state-versions/<id>`.",
  interfaces: [NodeRef],
  fields: (t) => ({
    workspace: t.field({
      type: WorkspaceRef,
      description: "The workspace whose state it is.",
      resolve: async ({ id, workspaceId }, _args, { loaders }) =>
        present(await loaders.workspace.load(workspaceId), `The workspace of ${id}`),
    }),
    serial: t.exposeFloat("serial", {
      description: "A whole number of at most 2^52 that the engine counts up, not always by one.",
    }),
    lineage: t.exposeString("lineage", { description: "The engine's name for the line that it belongs to." }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that made it; null where a person brought it.",
      resolve: ({ runId }, _args, { loaders }) => (runId === null ? null : loaders.run.load(runId)),
    }),
    actor: t.field({
      type: ActorRef,
      description: "Who brought it, or whose run it was.",
      resolve: async ({ id, actorId }, _args, { loaders }) =>
        present(await loaders.actor.load(actorId), `The actor of ${id}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was kept." }),
    size: t.exposeInt("size", { description: "Its bytes." }),
    digest: t.exposeString("digest", { description: "SHA-256 of its bytes, in hexadecimal digits." }),
    resourceCount: t.exposeInt("resourceCount", {
      nullable: true,
      description: "How many resources it has, data sources not counted; null where nobody counted.",
    }),
    outputs: t.field({
      type: [OutputRef],
      description: "Its outputs; sensitive values are never shown.",
      resolve: ({ id }, _args, { loaders }) => loaders.stateOutputs.load(id),
    }),
    isCurrent: t.exposeBoolean("isCurrent", { description: "Whether it is the state that the workspace has now." }),
    resources: t.field({
      type: StateResourcesRef,
      description: `What is in it. One request may ask this of ${LIMITS.statesExaminedPerRequest} versions.`,
      resolve: async (version, _args, { loaders }) => {
        const found = await loaders.stateResources.load(version);
        if (found === "TOO_LARGE") throw tooLarge("resources");
        return found;
      },
    }),
    readings: t.field({
      type: [StateReadingRef],
      description: `Who took it, newest first: the last ${LIMITS.stateReadingsShown} times.`,
      resolve: ({ id }, _args, { loaders }) => loaders.stateReadings.load(id),
    }),
  }),
});

const EdgeRef = edgeRef<StateVersion>("StateVersion", "version of a state");
const ConnectionRef = connectionRef<StateVersion>("StateVersion", "A page of versions of a state, newest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: StateVersionRef, description: "The version.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The versions.", resolve: (connection) => connection.edges }),
);

/** Serials are larger than other numbers of this kind. */
const serialPosition: ReadPosition<number> = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

builder.objectField(WorkspaceRef, "stateVersions", (t) =>
  t.field({
    type: ConnectionRef,
    description: "Every state that it had, newest first.",
    args: pageArgs(),
    resolve: async ({ id }, args, { caller, domain }) => {
      const name = `states of ${id}`;
      const page = await domain.listStateVersions(caller, id, toPageRequest(args, { name, position: serialPosition }));
      return toConnection(name, page, ({ serial }) => serial);
    },
  }),
);

builder.objectField(WorkspaceRef, "currentStateVersion", (t) =>
  t.field({
    type: StateVersionRef,
    nullable: true,
    description: "The state that it has; null before the first one.",
    resolve: ({ id }, _args, { loaders }) => loaders.currentState.load(id),
  }),
);

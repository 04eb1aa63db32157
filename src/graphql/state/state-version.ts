/** The versions of a state. */
import { loaderOf, loaderOfStates } from "../kit/loader.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { pageOf } from "../../model/kit/page.ts";
import type { ResourceSelection, StateResources } from "../../domain/state/state-domain.ts";
import { DEPENDENCIES_SHOWN, type StateResource } from "../../model/state/state-file.ts";
import type { StateReading, StateVersion, StateWay } from "../../model/state/state-version.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, type PageInfo, PageInfoRef, toConnection } from "../kit/connection.ts";
import { numberPosition, type ReadPosition } from "../kit/cursor.ts";
import { listCost } from "../kit/list-cost.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { inputError, present } from "../kit/errors.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { RunRef, StateVersionRef, stateVersionLoader, WorkspaceRef, runLoader, workspaceLoader } from "../kit/refs.ts";
import { OutputRef } from "../workspace/workspace.ts";

const currentStateLoader = loaderOf((domain, caller, ids) => domain.currentStates(caller, ids));
const stateOutputsLoader = loaderOf((domain, caller, ids) => domain.stateOutputs(caller, ids));
const stateReadingsLoader = loaderOf((domain, caller, ids) => domain.stateReadings(caller, ids));
interface ResourcesKey {
  version: StateVersion;
  selection: ResourceSelection;
}

const stateResourcesLoader = loaderOfStates(
  (domain, caller, { version, selection }: ResourcesKey) => domain.stateResources(caller, version, selection),
  ({ version, selection }) => JSON.stringify([version.id, selection]),
);

const StateWayEnum = describedEnum<StateWay>("StateWay", "The way in which a state was read.", {
  COMPARISON: "A comparison of two versions that showed values (`Workspace.stateComparison`).",
  DOWNLOAD: "A download by `GET /state-versions/<id>`.",
  BACKEND: "An engine that a person started, through the HTTP state backend.",
});

export const StateReadingRef = builder.objectRef<StateReading>("StateReading").implement({
  description: "A record that a state, with its secrets, was read.",
  fields: (t) => ({
    actor: t.field({
      type: ActorRef,
      description: "The actor that read the state.",
      resolve: async ({ actorId }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, actorId), `The reader ${actorId}`),
    }),
    credentialId: t.exposeID("credentialId", {
      nullable: true,
      description: "The id of the token or the session that read it. `null` if it was not recorded.",
    }),
    way: t.expose("way", { type: StateWayEnum, description: "The way in which it was read." }),
    at: t.expose("at", { type: "DateTime", description: "When it was read." }),
  }),
});

export const StateResourceRef = builder.objectRef<StateResource>("StateResource").implement({
  description: "An instance of a managed resource in a state. Attributes are not shown.",
  fields: (t) => ({
    address: t.exposeString("address", {
      description: "The address that the engine uses. A deposed object has its key appended.",
    }),
    type: t.exposeString("type", { description: "The type, for example `aws_instance`." }),
    name: t.exposeString("name", { description: "The name in the configuration." }),
    module: t.exposeString("module", { nullable: true, description: "The module. `null` in the root module." }),
    provider: t.exposeString("provider", {
      description: "The provider, for example `registry.terraform.io/hashicorp/aws`.",
    }),
    dependsOn: t.exposeStringList("dependsOn", {
      description: `The resources that it depends on, directly or by others, as the engine stored them: addresses without keys of instances, at most ${DEPENDENCIES_SHOWN}.`,
    }),
  }),
});

interface ShownResources extends StateResources {
  pageInfo: PageInfo;
}

const StateResourcesRef = builder.objectRef<ShownResources>("StateResources").implement({
  description: "A page of the resources of a state.",
  fields: (t) => ({
    totalCount: t.int({
      description: "The number of resources that match, on all pages.",
      resolve: ({ count }) => count,
    }),
    nodes: t.field({
      type: [StateResourceRef],
      description: "The resources, in the order of the state.",
      resolve: ({ resources }) => resources,
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfoRef, description: "The position of the page." }),
  }),
});

/** Makes the error for a state that is too large to examine. */
export function tooLarge(path: string): Error {
  const { stateExaminedBytes: bytes, stateExaminedParts: parts } = LIMITS;
  const message = `The state has more than ${bytes} bytes or ${parts} values and is not examined. Download it instead.`;
  return inputError([{ path: [path], message }]);
}

addNode("stateVersion", "StateVersion", stateVersionLoader);
StateVersionRef.implement({
  extensions: requiredPermissions("WORKSPACE_READ"),
  description: "A version of the state of a workspace. Its file, at `GET /state-versions/<id>`, may hold secrets.",
  interfaces: [NodeRef],
  fields: (t) => ({
    workspace: t.field({
      type: WorkspaceRef,
      description: "The workspace of the state.",
      resolve: async ({ id, workspaceId }, _args, { loaders }) =>
        present(await loaders.load(workspaceLoader, workspaceId), `The workspace of ${id}`),
    }),
    serial: t.exposeFloat("serial", {
      description: "The serial of the engine: a whole number of at most 2^52 that grows, not always by one.",
    }),
    lineage: t.exposeString("lineage", { description: "The lineage: the engine's id for a sequence of versions." }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that made the version. `null` if a person imported it.",
      resolve: ({ runId }, _args, { loaders }) => (runId === null ? null : loaders.load(runLoader, runId)),
    }),
    actor: t.field({
      type: ActorRef,
      description: "The actor that imported it or created its run.",
      resolve: async ({ id, actorId }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, actorId), `The actor of ${id}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the version was stored." }),
    size: t.exposeInt("size", { description: "The size in bytes." }),
    digest: t.exposeString("digest", { description: "The SHA-256 of the state file, in hexadecimal digits." }),
    resourceCount: t.exposeInt("resourceCount", {
      nullable: true,
      description: "The number of resources, without data sources. `null` if they were not counted.",
    }),
    outputs: t.field({
      type: [OutputRef],
      description: "The outputs. Sensitive values are never shown.",
      resolve: ({ id }, _args, { loaders }) => loaders.load(stateOutputsLoader, id),
    }),
    isCurrent: t.exposeBoolean("isCurrent", { description: "Whether it is the current state of the workspace." }),
    resources: t.field({
      type: StateResourcesRef,
      description: `The resources of the state. A request may select them for at most ${LIMITS.statesExaminedPerRequest} versions.`,
      args: {
        search: t.arg.string({ description: "Only resources whose addresses contain this text, in any case." }),
        first: t.arg.int({
          extensions: listCost({
            max: LIMITS.stateResourcesShown,
            size: LIMITS.stateResourcesShown,
            perPoint: LIMITS.stateResourcesShown,
          }),
          description: `The number of resources; at most ${LIMITS.stateResourcesShown}, which is also the default.`,
        }),
        after: t.arg.string({ description: "Only resources that come after the one with this cursor." }),
      },
      resolve: async (version, { search, first, after }, { loaders }) => {
        const list = {
          name: `resources of ${version.id}`,
          position: numberPosition,
          max: LIMITS.stateResourcesShown,
          size: LIMITS.stateResourcesShown,
        };
        const request = toPageRequest({ first, after }, list);
        const selection = { search: search ?? null, after: request.after ?? -1, max: request.limit };
        const found = await loaders.load(stateResourcesLoader, { version, selection });
        if (found === "TOO_LARGE") throw tooLarge("resources");
        const page = pageOf(request, found.resources, found.hasMore);
        return { ...found, pageInfo: toConnection(list.name, page, ({ position }) => position).pageInfo };
      },
    }),
    readings: t.field({
      type: [StateReadingRef],
      description: `The last ${LIMITS.stateReadingsShown} reads of the state, newest first.`,
      resolve: ({ id }, _args, { loaders }) => loaders.load(stateReadingsLoader, id),
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
    description: "The versions of the state, newest first.",
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
    description: "The current state. `null` before the first version.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(currentStateLoader, id),
  }),
);

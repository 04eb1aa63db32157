import type { Changeset } from "../../../src/model/changeset/changeset.ts";
import { type CallerScope, EVERYTHING } from "../../../src/model/people/permission.ts";
import * as members from "../../../src/persistence/changeset/changeset-member-store.ts";
import * as changesets from "../../../src/persistence/changeset/changeset-store.ts";
import * as seenChangesets from "../../../src/persistence/changeset/seen-changeset-store.ts";
import type { Promotion, PromotionPipeline } from "../../../src/model/promotion/promotion.ts";
import * as pipelines from "../../../src/persistence/promotion/pipeline-store.ts";
import * as promotions from "../../../src/persistence/promotion/promotion-store.ts";
import * as changesetEvents from "../../../src/persistence/feed/changeset-event-store.ts";
import * as orders from "../../../src/persistence/changeset/changeset-order-store.ts";
import * as dependencies from "../../../src/persistence/dependency/dependency-store.ts";
import * as upstreamChanges from "../../../src/persistence/dependency/upstream-change-store.ts";
import * as waiting from "../../../src/persistence/run/waiting-run-store.ts";
import * as upstreams from "../../../src/persistence/dependency/run-upstream-store.ts";
import { between, exampleStore, FIRST, type World } from "./world.ts";

const SCOPE = {
  type: "some",
  organizationIds: ["org_a"],
  hiddenProjectIds: ["prj_h"],
  projectIds: ["prj_a"],
  workspaceIds: ["ws_a"],
} as const satisfies CallerScope;

export function changesetOf({ workspace, actorId, id, at }: World): Changeset {
  return {
    id: id("changeset"),
    organizationId: workspace.organizationId,
    source: "MANUAL",
    title: "Raise the limits",
    commit: null,
    kind: "DEPLOY",
    trigger: "MANUAL",
    refreshOnly: false,
    command: null,
    priority: 0,
    createdById: actorId,
    credentialId: null,
    createdAt: at,
    heldAt: null,
    appliedAt: null,
    discardedAt: null,
    passedAt: null,
    originId: null,
  };
}

function pipelineOf({ workspace, actorId, id, at }: World): PromotionPipeline {
  const stage = { automatic: true, soakMinutes: 30 };
  return {
    id: id("promotionPipeline"),
    organizationId: workspace.organizationId,
    name: "through the stages",
    stages: [
      { name: "dev", label: "env:dev", automatic: false, soakMinutes: 0 },
      { name: "prod", label: "env:prod", ...stage },
    ],
    ownerId: actorId,
    createdAt: at,
  };
}

function promotionOf(world: World): Promotion {
  return {
    originId: world.id("changeset"),
    pipelineId: world.id("promotionPipeline"),
    stage: "prod",
    organizationId: world.workspace.organizationId,
    passedAt: world.at,
    repositories: ["https://git.example.com/a"],
    dueAt: world.at,
    changesetId: null,
    supersededById: null,
    problem: null,
  };
}

const REQUEST = { key: "key", digest: "digest" };

export const CHANGESET_STORES = {
  "pipeline-store": exampleStore(pipelines, (world) => {
    const { tx, at, workspace } = world;
    const pipeline = pipelineOf(world);
    return {
      insertPipeline: () => pipelines.insertPipeline(tx, pipeline),
      updatePipelineRow: () => pipelines.updatePipelineRow(tx, { ...pipeline, name: "another" }),
      lockPipeline: () => pipelines.lockPipeline(tx, pipeline.id),
      findPipelines: () => pipelines.findPipelines(tx, [pipeline.id]),
      listAllPipelines: () => pipelines.listAllPipelines(tx, workspace.organizationId),
      listPipelines: () => pipelines.listPipelines(tx, workspace.organizationId, FIRST),
      "listPipelines: backward": () =>
        pipelines.listPipelines(tx, workspace.organizationId, between("pipe_a", "pipe_z")),
      countPipelines: () => pipelines.countPipelines(tx, workspace.organizationId),
      markPipelineDeleted: () => pipelines.markPipelineDeleted(tx, pipeline.id, at),
    };
  }),
  "promotion-store": exampleStore(promotions, (world) => {
    const { tx, at, prepare, id } = world;
    const promotion = promotionOf(world);
    return {
      upsertPromotion: async () => {
        await prepare(pipelines.insertPipeline(tx, pipelineOf(world)));
        await prepare(changesets.insertChangeset(tx, changesetOf(world), REQUEST));
        await promotions.upsertPromotion(tx, promotion);
      },
      findPromotion: () => promotions.findPromotion(tx, promotion),
      listDuePromotions: () => promotions.listDuePromotions(tx, at, 10),
      findNewerPromotion: () => promotions.findNewerPromotion(tx, promotion, { isPromoted: false }),
      "findNewerPromotion: that is promoted": () => promotions.findNewerPromotion(tx, promotion, { isPromoted: true }),
      supersedeSoaking: () => promotions.supersedeSoaking(tx, promotion),
      setPromotionsDue: () => promotions.setPromotionsDue(tx, promotion.pipelineId, at),
      "setPromotionsDue: never": () => promotions.setPromotionsDue(tx, promotion.pipelineId, null),
      listPromotionsOf: () => promotions.listPromotionsOf(tx, [promotion.originId]),
      deletePromotion: () => promotions.deletePromotion(tx, promotion),
      listPromotable: () => promotions.listPromotable(tx, 10),
      listPassed: () => promotions.listPassed(tx, world.workspace.organizationId, "env:dev", 10),
      takePromotable: () => promotions.takePromotable(tx, id("changeset")),
      listOriginMembers: () => promotions.listOriginMembers(tx, id("changeset")),
    };
  }),
  "dependency-store": exampleStore(dependencies, ({ tx, workspace }) => ({
    lockDependencies: () => dependencies.lockDependencies(tx),
    setUpstreams: () => dependencies.setUpstreams(tx, workspace.id, []),
    listUpstreams: () => dependencies.listUpstreams(tx, workspace.id),
    listDependenciesAbove: () => dependencies.listDependenciesAbove(tx, workspace.id),
    listDependentIds: () => dependencies.listDependentIds(tx, [workspace.id]),
    listDependenciesAmong: () => dependencies.listDependenciesAmong(tx, [workspace.id, "ws_b"]),
    listDependenciesOf: () => dependencies.listDependenciesOf(tx, [workspace.id]),
    listDownstreams: () => dependencies.listDownstreams(tx, workspace.id),
    listStartedIds: () => dependencies.listStartedIds(tx, [workspace.id]),
    listIdsBetween: () => dependencies.listIdsBetween(tx, [workspace.id, "ws_b"]),
  })),
  "changeset-order-store": exampleStore(orders, (world) => {
    const { tx, workspace, prepare } = world;
    const changeset = changesetOf(world);
    const { id } = changeset;
    return {
      insertOrderings: async () => {
        await prepare(changesets.insertChangeset(tx, changeset, { key: null, digest: "" }));
        const ordering = { workspaceId: workspace.id, afterId: "ws_b", ignoresFailure: false };
        await orders.insertOrderings(tx, id, [ordering]);
      },
      listOrdered: () => orders.listOrdered(tx, id, [workspace.id]),
      listReleasable: () => orders.listReleasable(tx, id, 10),
      lockReleasable: () => orders.lockReleasable(tx, id, [workspace.id]),
      listFailedBefore: () => orders.listFailedBefore(tx, id, [workspace.id]),
      listAppliedBefore: () => orders.listAppliedBefore(tx, id, workspace.id),
      reopenAfter: () => orders.reopenAfter(tx, id, "ws_b"),
    };
  }),
  "upstream-change-store": exampleStore(upstreamChanges, ({ tx, workspace, run, at }) => {
    const change = { workspaceId: workspace.id, serial: 1, runId: run.id };
    return {
      listUpstreamChanges: () => upstreamChanges.listUpstreamChanges(tx, 10),
      lockUpstreamChange: () => upstreamChanges.lockUpstreamChange(tx, change),
      endUpstreamChange: () => upstreamChanges.endUpstreamChange(tx, change, { at, changesetId: null }),
    };
  }),
  "waiting-run-store": exampleStore(waiting, ({ tx, run, at }) => ({
    setReleased: () => waiting.setReleased(tx, run.id, { at, cause: null }),
    "setReleased: with a cause": () =>
      waiting.setReleased(tx, run.id, {
        at,
        cause: { type: "DEPENDENCY", upstreamRunId: run.id, changedOutputs: [] },
      }),
  })),
  "run-upstream-store": exampleStore(upstreams, ({ tx, workspace, run, at }) => ({
    listReferencedOutputs: () => upstreams.listReferencedOutputs(tx, workspace.id),
    insertRunUpstreams: () => upstreams.insertRunUpstreams(tx, run.id, []),
    listRunUpstreams: () => upstreams.listRunUpstreams(tx, [run.id]),
    findSettledRun: () => upstreams.findSettledRun(tx, workspace.id),
    hasSameSource: () => upstreams.hasSameSource(tx, [run.id, run.id]),
    listLiveDeployments: () => upstreams.listLiveDeployments(tx, workspace.id, at),
  })),
  "changeset-store": exampleStore(changesets, (world) => {
    const { tx, actorId, at } = world;
    const changeset = changesetOf(world);
    const { id } = changeset;
    return {
      insertChangeset: () => changesets.insertChangeset(tx, changeset, REQUEST),
      findChangesetByKey: () => changesets.findChangesetByKey(tx, { actorId, key: "key" }, at),
      "findChangesetByKey: of long ago": () =>
        changesets.findChangesetByKey(tx, { actorId, key: "key" }, "2100-01-01T00:00:00.000Z"),
      listDueChangesets: () => changesets.listDueChangesets(tx, 10),
      findChangeset: () => changesets.findChangeset(tx, id),
      lockChangeset: () => changesets.lockChangeset(tx, id),
      setChangesetDue: () => changesets.setChangesetDue(tx, id, false),
      noteApplied: () => changesets.noteApplied(tx, id, at),
      discardMembers: () => changesets.discardMembers(tx, SCOPE, id, "The changeset was discarded."),
      setChangesetDiscarded: () => changesets.setChangesetDiscarded(tx, EVERYTHING, id, at),
      releaseHeldChangeset: () => changesets.releaseHeldChangeset(tx, id),
    };
  }),
  "seen-changeset-store": exampleStore(seenChangesets, ({ tx, workspace, id: newId }) => {
    const id = newId("changeset");
    return {
      findChangesets: () => seenChangesets.findChangesets(tx, EVERYTHING, [id]),
      "findChangesets: of a scope": () => seenChangesets.findChangesets(tx, SCOPE, [id]),
      listChangesets: () => seenChangesets.listChangesets(tx, EVERYTHING, workspace.organizationId, null, FIRST),
      "listChangesets: in a state, of a scope, backward": () =>
        seenChangesets.listChangesets(tx, SCOPE, workspace.organizationId, ["APPLIED"], between("cs_b", "cs_a")),
      listWaves: () => seenChangesets.listWaves(tx, EVERYTHING, [id]),
      "listWaves: of a scope": () => seenChangesets.listWaves(tx, SCOPE, [id]),
    };
  }),
  "changeset-event-store": exampleStore(changesetEvents, (world) => {
    const { tx, workspace, actorId, at, prepare } = world;
    return {
      appendChangesetEvent: async () => {
        const changeset = changesetOf(world);
        await prepare(changesets.insertChangeset(tx, changeset, { key: null, digest: "" }));
        const event = { changesetId: changeset.id, at, actorId, change: "APPROVED", gate: "PLAN" } as const;
        await changesetEvents.appendChangesetEvent(tx, workspace.organizationId, {
          ...event,
          workspaceIds: [workspace.id],
        });
      },
    };
  }),
  "changeset-member-store": exampleStore(members, (world) => {
    const { tx, workspace, run, prepare, id } = world;
    const member = { changesetId: id("changeset"), workspaceId: workspace.id };
    return {
      insertMembers: async () => {
        await prepare(changesets.insertChangeset(tx, changesetOf(world), REQUEST));
        const more = { wave: 0, cause: null, source: null, scheduledAt: null, skipReason: null, isByEdge: false };
        await members.insertMembers(tx, [{ ...member, ...more }]);
      },
      withdrawHeldMembers: () =>
        members.withdrawHeldMembers(tx, {
          refChangeId: id("refChange"),
          workspaceIds: [workspace.id],
          problem: "Newer.",
        }),
      listUncreatedMembers: () => members.listUncreatedMembers(tx, member.changesetId, 50),
      lockUncreatedMembers: () => members.lockUncreatedMembers(tx, member.changesetId, [workspace.id]),
      setMemberProblem: () => members.setMemberProblem(tx, { ...member, workspaceId: "ws_none" }, "It was deleted."),
      setMemberRun: () => members.setMemberRun(tx, member, run.id),
      listMemberRuns: () => members.listMemberRuns(tx, EVERYTHING, member.changesetId),
      "listMemberRuns: of a scope": () => members.listMemberRuns(tx, SCOPE, member.changesetId),
      listMemberWorkspaces: () => members.listMemberWorkspaces(tx, member.changesetId),
      isMemberRun: () => members.isMemberRun(tx, member.changesetId, run.id),
    };
  }),
};

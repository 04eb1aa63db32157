import { type CallerScope, EVERYTHING } from "../../../src/model/people/permission.ts";
import type { Organization } from "../../../src/model/workspace/workspace.ts";
import type { WebhookDelivery } from "../../../src/model/webhook/webhook.ts";
import * as activities from "../../../src/persistence/dispatch/activity-store.ts";
import * as deployments from "../../../src/persistence/workspace/deployment-store.ts";
import * as expiries from "../../../src/persistence/workspace/expiry-store.ts";
import * as labels from "../../../src/persistence/workspace/label-store.ts";
import * as secrets from "../../../src/persistence/workspace/former-secret-store.ts";
import * as names from "../../../src/persistence/search/name-store.ts";
import * as probes from "../../../src/persistence/probe/probe-store.ts";
import * as probeTests from "../../../src/persistence/verification/probe-test-store.ts";
import * as organizations from "../../../src/persistence/organization/organization-store.ts";
import * as retention from "../../../src/persistence/installation/retention-store.ts";
import * as statistics from "../../../src/persistence/workspace/statistics-store.ts";
import * as variables from "../../../src/persistence/workspace/variable-store.ts";
import * as deliveries from "../../../src/persistence/webhook/webhook-delivery-store.ts";
import * as webhooks from "../../../src/persistence/webhook/webhook-store.ts";
import * as uses from "../../../src/persistence/workspace/workspace-use-store.ts";
import * as workspaceEvents from "../../../src/persistence/feed/workspace-event-store.ts";
import * as locks from "../../../src/persistence/workspace/workspace-lock-store.ts";
import * as shapes from "../../../src/persistence/workspace/found-shape-store.ts";
import * as workspaceLists from "../../../src/persistence/workspace/workspace-list-store.ts";
import * as workspaces from "../../../src/persistence/workspace/workspace-store.ts";
import { probeOf } from "../../support/probe-targets.ts";
import { between, exampleStore, FIRST, LATER } from "./world.ts";

const SCOPE: CallerScope = {
  type: "some",
  organizationIds: ["org_a"],
  hiddenProjectIds: ["prj_h"],
  projectIds: ["prj_a"],
  workspaceIds: ["ws_a", "ws_b"],
};

const POLICY = { limits: {}, approvalRules: [], freezeWindows: [] };
const SETTINGS = { name: "Example", concurrencyLimit: 5, maxRunsPerPush: 100, rules: POLICY };
const KEPT = { logDays: 30, eventDays: 30, archiveDays: 30 };

export const WORKSPACE_STORES = {
  "deployment-store": exampleStore(deployments, ({ tx, workspace }) => ({
    findDeploymentInputs: () => deployments.findDeploymentInputs(tx, [workspace.id]),
  })),
  "activity-store": exampleStore(activities, ({ tx, workspace: { organizationId } }) => ({
    countLiveRuns: () => activities.countLiveRuns(tx, EVERYTHING, [organizationId]),
    "countLiveRuns: of a scope": () => activities.countLiveRuns(tx, SCOPE, [organizationId]),
    findPlaceUses: () => activities.findPlaceUses(tx, [organizationId]),
  })),
  "name-store": exampleStore(names, ({ tx }) => ({
    findByIds: () => names.findByIds(tx, { kind: "run", from: "run_0", to: "run_z" }, EVERYTHING, 10),
    "findByIds: of a scope": () => names.findByIds(tx, { kind: "workspace", from: "ws_0", to: "ws_z" }, SCOPE, 10),
    findByName: () => names.findByName(tx, () => EVERYTHING, "infra", 10),
    "findByName: of a scope": () => names.findByName(tx, () => SCOPE, "infra", 10),
  })),
  "former-secret-store": exampleStore(secrets, ({ tx, cipher, workspace: { id } }) => ({
    insertFormerSecret: () => secrets.insertFormerSecret(tx, cipher, id, { value: "old", hcl: false }, 10),
    listFormerSecrets: () => secrets.listFormerSecrets(tx, cipher, id),
  })),
  "organization-store": exampleStore(organizations, ({ tx, at, id }) => {
    const organization: Organization = { ...SETTINGS, id: id("organization"), slug: "example", retention: KEPT };
    return {
      insertOrganization: () => organizations.insertOrganization(tx, { ...organization, createdAt: at }),
      toOrganization: () => undefined,
      findOrganizations: () => organizations.findOrganizations(tx, [organization.id]),
      findOrganizationBySlug: () => organizations.findOrganizationBySlug(tx, "example"),
      listOrganizations: () => organizations.listOrganizations(tx, EVERYTHING, FIRST),
      "listOrganizations: in a scope": () => organizations.listOrganizations(tx, SCOPE, FIRST),
      "listOrganizations: backward": () => organizations.listOrganizations(tx, EVERYTHING, between("a", "z")),
      updateOrganizationSettings: () => organizations.updateOrganizationSettings(tx, organization.id, organization),
      lockOrganization: () => organizations.lockOrganization(tx, organization.id),
      lockOrganizationIfAny: () => organizations.lockOrganizationIfAny(tx, organization.id),
    };
  }),
  "retention-store": exampleStore(
    retention,
    ({ tx, prepare, run, leased, workspace: { id, organizationId }, actorId, at }) => {
      const due = { organizationId, before: LATER };
      const runIds = [run.id, leased.id];
      return {
        listDue: () => retention.listDue(tx, "LOGS", at),
        "listDue: events": () => retention.listDue(tx, "EVENTS", at),
        takeMark: () => retention.takeMark(tx, organizationId, "LOGS"),
        moveMark: () => retention.moveMark(tx, organizationId, "LOGS", { finishedAt: at, runId: run.id }),
        listEndedRuns: () => retention.listEndedRuns(tx, due, { finishedAt: at, runId: "" }, 100),
        removeLogs: () => retention.removeLogs(tx, runIds, at, 100),
        removeRunEvents: () => retention.removeRunEvents(tx, runIds, at),
        removeFeed: async () => {
          const row = { workspace_id: id, at, actor_id: actorId, fields: [] };
          const { id: eventId } = await tx.sql
            .insertInto("workspace_event")
            .values(row)
            .returning("id")
            .executeTakeFirstOrThrow();
          const entry = { organization_id: organizationId, workspace_id: id, run_id: null, version: null };
          const values = { ...entry, position: 100, workspace_event_id: eventId };
          await prepare(tx.sql.insertInto("feed_entry").values(values).execute());
          await retention.removeFeed(tx, due, 100);
        },
        findLogExpiries: () => retention.findLogExpiries(tx, runIds),
      };
    },
  ),
  "statistics-store": exampleStore(statistics, ({ tx, database, workspace: { id, organizationId }, at }) => ({
    readStatistics: () => statistics.readStatistics(database, [id], { from: at, to: LATER }),
    readOrganizationStatistics: () =>
      statistics.readOrganizationStatistics(database, SCOPE, [organizationId], { from: at, to: LATER }),
    measurement: () => statistics.measurement(tx, [id], { from: at, to: LATER }).execute(tx.sql),
  })),
  "probe-store": exampleStore(probes, ({ tx, cipher, workspace: { id } }) => ({
    replaceProbes: () => probes.replaceProbes(tx, cipher, id, [probeOf()]),
    listProbes: () => probes.listProbes(tx, cipher, [id]),
    listProbeSettings: () => probes.listProbeSettings(tx, [id]),
    findNewestOutputs: () => probes.findNewestOutputs(tx, [id]),
  })),
  "probe-test-store": exampleStore(probeTests, ({ tx, cipher, at, workspace, id }) => {
    const test = { id: id("probeTest"), workspaceId: workspace.id, offeredAt: at, endsAt: LATER };
    const insert = () => probeTests.insertProbeTest(tx, cipher, test, []);
    const pool = { id: id("runnerPool"), organizationId: workspace.organizationId, reserved: false };
    const take = () => probeTests.takeProbeTest(tx, cipher, { pool, labels: ["vpc"] }, { leaseId: "lease", at });
    return {
      insertProbeTest: insert,
      takeProbeTest: take,
      answerProbeTest: () => probeTests.answerProbeTest(tx, test.id, [], at),
      findProbeTestAnswer: () => probeTests.findProbeTestAnswer(tx, test.id),
      deleteProbeTest: () => probeTests.deleteProbeTest(tx, test.id),
    };
  }),
  "variable-store": exampleStore(variables, ({ tx, cipher, workspace: { id } }) => {
    const variable = { key: "region", category: "ENGINE" as const, value: "eu", sensitive: false, hcl: false };
    return {
      putVariable: () => variables.putVariable(tx, cipher, id, variable),
      findVariable: () => variables.findVariable(tx, cipher, id, variable),
      listVariables: () => variables.listVariables(tx, cipher, [id]),
      listSensitiveNames: () => variables.listSensitiveNames(tx, [id]),
      listVariableNames: () => variables.listVariableNames(tx, id),
      countVariables: () => variables.countVariables(tx, id),
      deleteVariableRow: () => variables.deleteVariableRow(tx, id, variable),
    };
  }),
  "expiry-store": exampleStore(expiries, ({ tx, workspace: { id }, at, actorId }) => {
    const expiry = { expiresAt: at, setById: actorId, reminded: 0, tries: 0, triedAt: null };
    return {
      setExpiry: () => expiries.setExpiry(tx, id, expiry, { dueAt: at, problem: null }),
      listDueExpiries: () => expiries.listDueExpiries(tx, at, 10),
      findDueExpiry: () => expiries.findDueExpiry(tx, id, at),
    };
  }),
  "label-store": exampleStore(labels, ({ tx, workspace: { organizationId } }) => ({
    hasLabels: () => undefined,
    selectLabelledWorkspaces: () =>
      labels.selectLabelledWorkspaces(tx, EVERYTHING, organizationId, ["env:dev", "team"], 10),
    "selectLabelledWorkspaces: in a scope": () =>
      labels.selectLabelledWorkspaces(tx, SCOPE, organizationId, ["env:dev"], 10),
  })),
  "workspace-use-store": exampleStore(uses, ({ tx, workspace: { id } }) => ({
    findWorkspaceUses: () => uses.findWorkspaceUses(tx, [id]),
    getWorkspaceUse: () => uses.getWorkspaceUse(tx, id),
  })),
  "webhook-store": exampleStore(webhooks, ({ tx, cipher, workspace, actorId, at, id }) => {
    const webhook = {
      id: id("webhook"),
      organizationId: workspace.organizationId,
      projectId: workspace.projectId,
      workspaceId: workspace.id,
      url: "https://example.com/",
      events: ["run.ended" as const],
      description: null,
      enabled: true,
      goneAt: null,
      createdById: actorId,
      createdAt: at,
      secret: "secret",
    };
    const place = { organizationId: workspace.organizationId, workspaceId: workspace.id };
    const replace = (formerUntil: string | null) => () =>
      webhooks.replaceWebhookSecret(tx, cipher, webhook.id, { secret: "new", formerUntil });
    return {
      insertWebhook: () => webhooks.insertWebhook(tx, cipher, webhook),
      listListeners: () => webhooks.listListeners(tx, place, "run.ended"),
      listHeardWorkspaces: () => webhooks.listHeardWorkspaces(tx, [place.workspaceId], "workspace.health.changed"),
      listOrganizationListeners: () =>
        webhooks.listOrganizationListeners(tx, webhook.organizationId, "repository.hook.missing"),
      lockWebhook: () => webhooks.lockWebhook(tx, webhook.id),
      updateWebhookRow: () => webhooks.updateWebhookRow(tx, webhook.id, webhook),
      replaceWebhookSecret: replace(LATER),
      "replaceWebhookSecret: the former one ends now": replace(null),
      findWebhookSecrets: () => webhooks.findWebhookSecrets(tx, cipher, webhook.id, at),
      findWebhooks: () => webhooks.findWebhooks(tx, [webhook.id]),
      listWebhooksOfOrganizations: () => webhooks.listWebhooksOfOrganizations(tx, [webhook.organizationId]),
      listWebhooksOfWorkspaces: () => webhooks.listWebhooksOfWorkspaces(tx, [workspace.id]),
      countWebhooks: () => webhooks.countWebhooks(tx, webhook.organizationId),
      markWebhookDeleted: () => webhooks.markWebhookDeleted(tx, webhook.id, at),
    };
  }),
  "webhook-delivery-store": exampleStore(deliveries, ({ tx, prepare, cipher, workspace, actorId, at, id }) => {
    const webhookId = id("webhook");
    const delivery: WebhookDelivery = {
      id: id("webhookDelivery"),
      webhookId,
      event: "run.ended",
      payload: "{}",
      state: "PENDING",
      turn: 1,
      attemptCount: 1,
      roundBegan: 0,
      createdAt: at,
      nextAttemptAt: at,
      finishedAt: null,
    };
    const attempt = { number: 1, at, durationMs: 1, statusCode: 200, error: null, response: null };
    return {
      insertDeliveries: async () => {
        const webhook = {
          id: webhookId,
          organizationId: workspace.organizationId,
          projectId: null,
          workspaceId: null,
          url: "",
          events: [],
        };
        const facts = { description: null, enabled: true, goneAt: null, createdById: actorId, createdAt: at };
        await prepare(webhooks.insertWebhook(tx, cipher, { ...webhook, ...facts, secret: "secret" }));
        await deliveries.insertDeliveries(tx, [delivery]);
      },
      findDeliveries: () => deliveries.findDeliveries(tx, [delivery.id]),
      lockDelivery: () => deliveries.lockDelivery(tx, delivery.id),
      insertAttempt: () => deliveries.insertAttempt(tx, { ...attempt, deliveryId: delivery.id }),
      updateDelivery: () => deliveries.updateDelivery(tx, delivery),
      listDeliveries: () => deliveries.listDeliveries(tx, webhookId, null, FIRST),
      "listDeliveries: backward, of one state": () =>
        deliveries.listDeliveries(tx, webhookId, "PENDING", between("z", "a")),
      listAttempts: () => deliveries.listAttempts(tx, [delivery.id], 10),
      cancelDeliveries: () => deliveries.cancelDeliveries(tx, webhookId, at),
      pruneDeliveries: () => deliveries.pruneDeliveries(tx, LATER, 100),
    };
  }),
  "workspace-event-store": exampleStore(workspaceEvents, ({ tx, workspace, actorId, at }) => ({
    appendWorkspaceEvent: () =>
      workspaceEvents.appendWorkspaceEvent(tx, workspace.organizationId, {
        workspaceId: workspace.id,
        at,
        actorId,
        fields: ["name"],
      }),
  })),
  "workspace-lock-store": exampleStore(locks, ({ tx, workspace, actorId, at }) => ({
    listExpiredLocks: () => locks.listExpiredLocks(tx, at, 100),
    setWorkspaceLock: () =>
      locks.setWorkspaceLock(tx, workspace.id, {
        reason: "MANUAL",
        runId: null,
        actorId,
        note: null,
        since: at,
        expiresAt: null,
      }),
  })),
  "found-shape-store": exampleStore(shapes, ({ tx, workspace }) => ({
    setFoundShape: () => shapes.setFoundShape(tx, workspace.id, { shape: "STATIC_BUILD", hasStartCommand: true }),
  })),
  "workspace-list-store": exampleStore(workspaceLists, ({ tx, workspace: { organizationId }, at }) => ({
    countWorkspaces: () =>
      workspaceLists.countWorkspaces(
        tx,
        EVERYTHING,
        organizationId,
        { text: "fra", paused: false, locked: { is: true, at } },
        100,
      ),
    "listWorkspaces: in a scope": () => workspaceLists.listWorkspaces(tx, SCOPE, organizationId, {}, FIRST),
    listWorkspaces: () => workspaceLists.listWorkspaces(tx, EVERYTHING, organizationId, {}, FIRST),
    "listWorkspaces: backward, by a part of the name": () =>
      workspaceLists.listWorkspaces(tx, EVERYTHING, organizationId, { search: "fra" }, between("a", "z")),
    "listWorkspaces: of deployment statuses": () =>
      workspaceLists.listWorkspaces(
        tx,
        EVERYTHING,
        organizationId,
        { deploymentStatuses: ["FAILED", "PENDING"] },
        FIRST,
      ),
    "listWorkspaces: with labels": () =>
      workspaceLists.listWorkspaces(tx, EVERYTHING, organizationId, { labels: ["env:dev", "team"] }, FIRST),
  })),
  "workspace-store": exampleStore(workspaces, ({ tx, run, workspace, at, id }) => {
    return {
      toWorkspace: () => undefined,
      insertWorkspace: () =>
        workspaces.insertWorkspace(tx, { ...workspace, id: id("workspace"), name: "new", createdAt: at }),
      listWorkspacesOfRepository: () => workspaces.listWorkspacesOfRepository(tx, id("repository")),
      findWorkspaces: () => workspaces.findWorkspaces(tx, [workspace.id]),
      findWorkspacesEver: () => workspaces.findWorkspacesEver(tx, [workspace.id]),
      findWorkspace: () => workspaces.findWorkspace(tx, workspace.id),
      findWorkspaceByPath: () => workspaces.findWorkspaceByPath(tx, "example", "infra"),
      lockWorkspaceRow: () => workspaces.lockWorkspaceRow(tx, workspace.id),
      lockWorkspaceOfRun: () => workspaces.lockWorkspaceOfRun(tx, run.id),
      tryLockWorkspaceRow: () => workspaces.tryLockWorkspaceRow(tx, workspace.id),
      lockKeptWorkspace: () => workspaces.lockKeptWorkspace(tx, workspace.id),
      updateWorkspaceSettings: () => workspaces.updateWorkspaceSettings(tx, workspace.id, workspace),
      setWorkspaceState: () => workspaces.setWorkspaceState(tx, workspace.id, { serial: 1, lineage: "l" }),
      deleteWorkspaceRow: () => workspaces.deleteWorkspaceRow(tx, id("workspace"), at),
    };
  }),
};

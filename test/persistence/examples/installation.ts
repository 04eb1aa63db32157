import * as access from "../../../src/persistence/people/access-store.ts";
import * as projects from "../../../src/persistence/organization/project-store.ts";
import * as roles from "../../../src/persistence/people/role-store.ts";
import * as teams from "../../../src/persistence/people/team-store.ts";
import { permissionSet } from "../../../src/model/people/permission-set.ts";
import * as reach from "../../../src/persistence/people/reach-store.ts";
import * as grants from "../../../src/persistence/people/grant-store.ts";
import * as actors from "../../../src/persistence/people/actor-store.ts";
import * as blobs from "../../../src/persistence/blob/blob-store.ts";
import * as bulk from "../../../src/persistence/bulk/bulk-store.ts";
import * as feed from "../../../src/persistence/feed/feed-store.ts";
import * as figures from "../../../src/persistence/installation/figures-store.ts";
import * as restoration from "../../../src/persistence/feed/restoration-store.ts";
import * as installation from "../../../src/persistence/installation/installation-store.ts";
import * as orphanedObjects from "../../../src/persistence/blob/orphaned-object-store.ts";
import * as administration from "../../../src/persistence/people/administration-store.ts";
import * as identities from "../../../src/persistence/people/identity-store.ts";
import * as invitations from "../../../src/persistence/people/invitation-store.ts";
import * as passkeys from "../../../src/persistence/people/passkey-store.ts";
import * as secrets from "../../../src/persistence/people/secret-store.ts";
import * as sessions from "../../../src/persistence/people/session-store.ts";
import * as runCallers from "../../../src/persistence/people/run-caller-store.ts";
import * as sponsors from "../../../src/persistence/people/sponsor-store.ts";
import * as tokens from "../../../src/persistence/people/token-store.ts";
import * as uploads from "../../../src/persistence/blob/upload-store.ts";
import type { BulkOperation } from "../../../src/model/bulk/bulk.ts";
import { type CallerScope, EVERYTHING } from "../../../src/model/people/permission.ts";
import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID } from "../../../src/model/people/actor.ts";
import { between, exampleStore, FIRST, LATER } from "./world.ts";

const SOME: CallerScope = {
  type: "some",
  organizationIds: ["org_a"],
  hiddenProjectIds: ["prj_h"],
  projectIds: ["prj_a"],
  workspaceIds: ["ws_a"],
};
const HASH = Buffer.alloc(32, 7);

export const INSTALLATION_STORES = {
  "actor-store": exampleStore(actors, ({ tx, actorId, at, id, workspace }) => ({
    toActor: () => actors.toActor({ id: actorId, kind: "SYSTEM", name: "system" }),
    insertActor: () => actors.insertActor(tx, { id: id("user"), kind: "USER", name: "ann" }, at),
    findActors: () => actors.findActors(tx, [actorId, id("user")]),
    insertServiceAccount: () =>
      actors.insertServiceAccount(
        tx,
        { id: id("machineUser"), kind: "MACHINE", name: "ci" },
        workspace.organizationId,
        at,
      ),
    listServiceAccounts: () => actors.listServiceAccounts(tx, [workspace.organizationId]),
    listOrganizationsOfActors: () => actors.listOrganizationsOfActors(tx, [actorId, id("machineUser")]),
    listOrganizationMembers: () => actors.listOrganizationMembers(tx, [workspace.organizationId]),
    listMembers: () => actors.listMembers(tx, FIRST),
    "listMembers: with a text in their name": () => actors.listMembers(tx, FIRST, "ali"),
    "listMembers: backward": () => actors.listMembers(tx, between("z", "a")),
    findEnabledActor: () => actors.findEnabledActor(tx, id("machineUser")),
    setActorDisabled: () => actors.setActorDisabled(tx, id("machineUser"), at),
    "setActorDisabled: enabled again": () => actors.setActorDisabled(tx, id("machineUser"), null),
  })),
  "administration-store": exampleStore(administration, ({ tx, actorId, at, id }) => ({
    findAdministration: () => administration.findAdministration(tx, actorId),
    putAdministration: () =>
      administration.putAdministration(tx, {
        id: id("grant"),
        actorId: ADMIN_ACTOR_ID,
        grantedById: actorId,
        reason: "a group",
        at,
        expiresAt: at,
      }),
    hasAdministratorToSignIn: () => administration.hasAdministratorToSignIn(tx, true),
    "hasAdministratorToSignIn: without a provider": () => administration.hasAdministratorToSignIn(tx, false),
    endAdministration: () => administration.endAdministration(tx, ADMIN_ACTOR_ID, { at, byId: actorId }),
  })),
  "identity-store": exampleStore(identities, ({ tx, at, id, workspace: { organizationId } }) => {
    const profile = { issuer: "https://login.example.com", subject: "42", name: "Ann", email: null, groups: [] };
    return {
      insertIdentity: () => identities.insertIdentity(tx, profile, ADMIN_ACTOR_ID, at),
      listSignInMethods: () => identities.listSignInMethods(tx, ADMIN_ACTOR_ID),
      lockIdentity: () => identities.lockIdentity(tx, profile),
      noteSignIn: () => identities.noteSignIn(tx, profile, ADMIN_ACTOR_ID, at),
      listTeamIdsOfGroups: () => identities.listTeamIdsOfGroups(tx, ["ops"]),
      listConfirmedMemberships: () => identities.listConfirmedMemberships(tx, ADMIN_ACTOR_ID),
      confirmMemberships: async () => {
        const team = { id: id("team"), organizationId, name: "confirmed", externalIds: ["ops"], createdAt: at };
        await teams.insertTeam(tx, team);
        await identities.confirmMemberships(tx, ADMIN_ACTOR_ID, [team.id], { at, lapsesAt: at });
      },
      removeConfirmedMemberships: () => identities.removeConfirmedMemberships(tx, ADMIN_ACTOR_ID, ["team_x"]),
      spendAttempt: () => identities.spendAttempt(tx, HASH, at),
      removeSpentAttempts: () => identities.removeSpentAttempts(tx, at, 10),
    };
  }),
  "invitation-store": exampleStore(invitations, ({ tx, at, id, workspace: { organizationId } }) => {
    const actor = { id: id("user"), kind: "USER", name: "invited" } as const;
    const facts = { id: id("invitation"), organizationId, actor, email: null, teamIds: [] };
    const invitation = { ...facts, invitedById: ADMIN_ACTOR_ID, createdAt: at, expiresAt: at };
    return {
      insertInvitation: () => invitations.insertInvitation(tx, invitation, HASH),
      findInvitationByCode: () => invitations.findInvitationByCode(tx, HASH, at),
      lockInvitation: () => invitations.lockInvitation(tx, invitation.id),
      listInvitations: () => invitations.listInvitations(tx, [organizationId], at),
      markInvitationAccepted: () => invitations.markInvitationAccepted(tx, invitation.id, at),
      markInvitationRevoked: () => invitations.markInvitationRevoked(tx, invitation.id, at),
    };
  }),
  "sponsor-store": exampleStore(sponsors, ({ tx, actorId, at }) => ({
    toSponsor: () => sponsors.toSponsor({ sponsor_id: actorId, sponsored_until: at }),
    setSponsor: () => sponsors.setSponsor(tx, actorId, { inviterId: ADMIN_ACTOR_ID, at, until: at }),
    listSponsorIds: () => sponsors.listSponsorIds(tx, [actorId], at),
  })),
  "passkey-store": exampleStore(passkeys, ({ tx, at, id }) => {
    const passkey = { id: id("passkey"), actorId: ADMIN_ACTOR_ID, name: "phone", createdAt: at, lastUsedAt: null };
    return {
      insertPasskey: () => passkeys.insertPasskey(tx, passkey, { credentialId: HASH, publicKey: HASH, counter: 0 }),
      findPasskeyCredential: () => passkeys.findPasskeyCredential(tx, HASH),
      usePasskey: () => passkeys.usePasskey(tx, passkey.id, 1, at),
      listPasskeys: () => passkeys.listPasskeys(tx, ADMIN_ACTOR_ID),
      listCredentialIds: () => passkeys.listCredentialIds(tx, ADMIN_ACTOR_ID),
      findPasskeys: () => passkeys.findPasskeys(tx, [passkey.id]),
      renamePasskeyRow: () => passkeys.renamePasskeyRow(tx, passkey.id, "key"),
      lockPasskeys: () => passkeys.lockPasskeys(tx, ADMIN_ACTOR_ID),
      removePasskey: () => passkeys.removePasskey(tx, passkey.id),
    };
  }),
  "session-store": exampleStore(sessions, ({ tx, at, id }) => {
    const actor = { id: ADMIN_ACTOR_ID, kind: "USER", name: "admin" } as const;
    const times = { createdAt: at, seenAt: at, presentAt: null, expiresAt: at };
    const session = { id: id("session"), actor, method: "OIDC", address: null, userAgent: null, ...times } as const;
    const provider = { issuer: "https://login.example.com", subject: "42", providerSession: null };
    const time = { at, idleSince: at };
    return {
      insertSession: () => sessions.insertSession(tx, session, HASH, { provider, token: null }),
      findSessionsBySecret: () => sessions.findSessionsBySecret(tx, [HASH], time),
      touchSession: () => sessions.touchSession(tx, session.id, new Date(at), 60_000),
      listSessions: () => sessions.listSessions(tx, null, time, FIRST),
      "listSessions: of a person, backward": () => sessions.listSessions(tx, actor.id, time, between("z", "a")),
      listSessionsOfActor: () => sessions.listSessionsOfActor(tx, actor.id, time, 10),
      findSessions: () => sessions.findSessions(tx, [session.id]),
      findSessionInForce: () => sessions.findSessionInForce(tx, session.id, time),
      revokeSessions: () => sessions.revokeSessions(tx, { id: session.id }, at),
      "revokeSessions: by secret": () => sessions.revokeSessions(tx, { secretHash: HASH }, at),
      "revokeSessions: of an actor": () => sessions.revokeSessions(tx, { actorId: actor.id }, at),
      "revokeSessions: of a token": () => sessions.revokeSessions(tx, { tokenId: "tok_1" }, at),
      "revokeSessions: of a person at the provider": () => sessions.revokeSessions(tx, provider, at),
      "revokeSessions: of a session at the provider": () =>
        sessions.revokeSessions(tx, { ...provider, subject: null, providerSession: "s" }, at),
      removeEndedSessions: () => sessions.removeEndedSessions(tx, at, 10),
    };
  }),
  "access-store": exampleStore(access, ({ tx, actorId, at, workspace }) => ({
    readAccessVersion: () => access.readAccessVersion(tx),
    findGrantsInForce: () => access.findGrantsInForce(tx, [actorId, ADMIN_ACTOR_ID], at),
    permissionsOfRow: () => access.permissionsOfRow("role_x", ["RUN_READ"]),
    findScopes: () => access.findScopes(tx, [workspace.organizationId, workspace.projectId, workspace.id]),
    listProjectNodes: () => access.listProjectNodes(tx),
  })),
  "role-store": exampleStore(roles, ({ tx, at, id, workspace: { organizationId } }) => {
    const role = {
      id: id("role"),
      organizationId,
      name: "deployer",
      description: null,
      permissions: permissionSet(["RUN_READ"]),
    };
    return {
      insertRole: () => roles.insertRole(tx, role, at),
      lockRole: () => roles.lockRole(tx, role.id),
      updateRoleRow: () => roles.updateRoleRow(tx, role.id, { ...role, name: "planner" }),
      findRoles: () => roles.findRoles(tx, [role.id]),
      listRoles: () => roles.listRoles(tx, [organizationId]),
      markRoleDeleted: () => roles.markRoleDeleted(tx, role.id, at),
    };
  }),
  "team-store": exampleStore(teams, ({ tx, at, id, actorId, workspace: { organizationId } }) => {
    const team = { id: id("team"), organizationId, name: "ops", externalIds: ["g"], createdAt: at };
    return {
      insertTeam: () => teams.insertTeam(tx, team),
      updateTeamRow: () => teams.updateTeamRow(tx, team.id, { name: "dev", externalIds: [] }),
      lockTeam: () => teams.lockTeam(tx, team.id),
      holdTeams: () => teams.holdTeams(tx, [team.id]),
      listRulesNamingTeam: () => teams.listRulesNamingTeam(tx, team),
      findTeams: () => teams.findTeams(tx, [team.id]),
      listTeamIdsOfActor: () => teams.listTeamIdsOfActor(tx, actorId, at),
      listTeams: () => teams.listTeams(tx, [organizationId]),
      insertMember: () => teams.insertMember(tx, { teamId: team.id, actorId, addedAt: at }),
      listMembers: () => teams.listMembers(tx, [team.id], at),
      listTeamsOfActors: () => teams.listTeamsOfActors(tx, [actorId], at),
      deleteMember: () => teams.deleteMember(tx, team.id, actorId),
      markTeamDeleted: () => teams.markTeamDeleted(tx, team.id, at),
    };
  }),
  "project-store": exampleStore(
    projects,
    ({ tx, at, id, workspace: { organizationId, projectId, id: workspaceId } }) => {
      const path = [projectId, id("project")];
      const project = {
        id: id("project"),
        organizationId,
        parentId: projectId,
        name: "p",
        path,
        isolated: false,
        createdAt: at,
      };
      return {
        insertProject: () => projects.insertProject(tx, project),
        listIsolatedProjects: () => projects.listIsolatedProjects(tx, organizationId),
        updateProjectRow: () => projects.updateProjectRow(tx, project.id, { name: "q", isolated: true }),
        lockProject: () => projects.lockProject(tx, project.id),
        holdProject: () => projects.holdProject(tx, project.id),
        findProjects: () => projects.findProjects(tx, [project.id, projectId]),
        listProjects: () => projects.listProjects(tx, [organizationId]),
        findDeepestLevel: () => projects.findDeepestLevel(tx, project),
        moveProjectRow: () => projects.moveProjectRow(tx, project, null),
        countProjects: () => projects.countProjects(tx, organizationId),
        listContent: () => projects.listContent(tx, projectId),
        moveWorkspaceRow: () => projects.moveWorkspaceRow(tx, workspaceId, project.id),
        markProjectDeleted: () => projects.markProjectDeleted(tx, project.id, at),
      };
    },
  ),
  "run-caller-store": exampleStore(runCallers, ({ tx, at, id, workspace }) => ({
    findWorkingRuns: () => runCallers.findWorkingRuns(tx, [id("job")], at),
    insertActorOfRuns: () =>
      runCallers.insertActorOfRuns(tx, {
        id: id("machineUser"),
        name: "runs of a workspace",
        organizationId: workspace.organizationId,
        workspaceId: workspace.id,
        createdAt: at,
      }),
    findWorkspacesOfActors: () => runCallers.findWorkspacesOfActors(tx, [id("machineUser")]),
  })),
  "grant-store": exampleStore(grants, ({ tx, actorId, at, id, workspace }) => ({
    insertGrant: () =>
      grants.insertGrant(tx, {
        ...grants.onInstallation("READER"),
        id: id("grant"),
        principalId: actorId,
        reason: null,
        grantedById: actorId,
        createdAt: at,
        expiresAt: null,
      }),
    onInstallation: () => grants.onInstallation("READER"),
    lockGrant: () => grants.lockGrant(tx, id("grant")),
    findGrants: () => grants.findGrants(tx, [id("grant")]),
    listGrantsOfScopes: () => grants.listGrantsOfScopes(tx, [workspace.id, workspace.projectId], at),
    listGrantsOfPrincipals: () => grants.listGrantsOfPrincipals(tx, [actorId], at),
    listGrants: () => grants.listGrants(tx, { scope: EVERYTHING, organizationId: null, at }, FIRST),
    "listGrants: of some places, backward": () => {
      const scope = {
        type: "some",
        organizationIds: [workspace.organizationId],
        hiddenProjectIds: ["prj_1"],
        projectIds: [workspace.projectId],
        workspaceIds: [workspace.id],
      } as const;
      return grants.listGrants(tx, { scope, organizationId: workspace.organizationId, at }, between("z", "a"));
    },
    listGrantsOfRunsIn: () => grants.listGrantsOfRunsIn(tx, workspace.projectId, at),
    listGrantsOfRole: () => grants.listGrantsOfRole(tx, grants.onInstallation("READER").roleId, at),
    endExpiredGrants: () =>
      grants.endExpiredGrants(tx, { principalId: actorId, roleId: id("role"), scopeId: null }, { at, byId: actorId }),
    markGrantRevoked: () => grants.markGrantRevoked(tx, id("grant"), { at, byId: actorId }),
    revokeGrantsOfScope: () => grants.revokeGrantsOfScope(tx, workspace.projectId, { at, byId: actorId }),
    countAdministrators: () => grants.countAdministrators(tx, workspace.organizationId),
  })),
  "reach-store": exampleStore(reach, ({ tx, workspace, at }) => {
    const asked = [{ key: "a", scopeIds: [null, workspace.id] }];
    return {
      listActorIdsReaching: () => reach.listActorIdsReaching(tx, "RUN_DEPLOY", asked, at, 10),
      listApproversReaching: () => reach.listApproversReaching(tx, asked, { at, limit: 10, hasProvider: false }),
      listScopesWithGrants: () => reach.listScopesWithGrants(tx, workspace.organizationId),
    };
  }),
  "blob-store": exampleStore(blobs, ({ tx, cipher, blobId, workspace, at, id }) => {
    const blob = { id: id("blob"), kind: "SOURCE" as const, workspaceId: workspace.id, body: HASH, createdAt: at };
    return {
      digestOf: () => blobs.digestOf(HASH),
      pieceCount: () => blobs.pieceCount(1),
      sealPiece: () => blobs.sealPiece(cipher, blob, 0),
      openPiece: () => blobs.openPiece(cipher, blob.id, 0, blobs.sealPiece(cipher, blob, 0)),
      insertBlobRow: () => blobs.insertBlobRow(tx, { ...blob, id: id("upload"), workspaceId: null }, "S3"),
      insertBlob: () => blobs.insertBlob(tx, cipher, blob),
      findSourceBlob: () => blobs.findSourceBlob(tx, workspace.id, "digest"),
      findBlob: () => blobs.findBlob(tx, blobId),
      readPieces: () => blobs.readPieces(tx, cipher, blobId, 16),
      deleteBlob: () => blobs.deleteBlob(tx, id("blob")),
      blobDigest: () => blobs.blobDigest(tx, blobId),
      countBlobsElsewhere: () => blobs.countBlobsElsewhere(tx),
    };
  }),
  "bulk-store": exampleStore(bulk, ({ tx, run, actorId, at, id }) => {
    const item = { operationId: id("bulkOperation"), position: 1, runId: run.id, planVersion: 0 };
    const operation: BulkOperation = {
      id: item.operationId,
      action: "CANCEL",
      gate: null,
      comment: null,
      state: "RUNNING",
      totalCount: 1,
      doneCount: 0,
      succeededCount: 0,
      createdById: actorId,
      credentialId: ADMIN_TOKEN_ID,
      createdAt: at,
      finishedAt: null,
    };
    return {
      insertBulkOperation: () => bulk.insertBulkOperation(tx, operation, { key: "key", digest: "digest" }, [item]),
      findBulkByKey: () => bulk.findBulkByKey(tx, { actorId, key: "key" }, at),
      findBulkOperations: () => bulk.findBulkOperations(tx, [operation.id]),
      listBulkOperations: () => bulk.listBulkOperations(tx, actorId, FIRST),
      "listBulkOperations: backward": () => bulk.listBulkOperations(tx, actorId, between("z", "a")),
      removeEndedBulkOperation: () => bulk.removeEndedBulkOperation(tx, at),
      listBulkResults: () => bulk.listBulkResults(tx, EVERYTHING, operation.id, FIRST),
      "listBulkResults: backward": () => bulk.listBulkResults(tx, EVERYTHING, operation.id, between(0, 9)),
      "listBulkResults: of an organization": () => bulk.listBulkResults(tx, SOME, operation.id, FIRST),
      countBulkItems: () => bulk.countBulkItems(tx, SOME, [operation.id]),
      listRunningBulk: () => bulk.listRunningBulk(tx, 10),
      findNextBulkItem: () => bulk.findNextBulkItem(tx, operation.id),
      takeBulkItem: () => bulk.takeBulkItem(tx, item),
      "takeBulkItem: of nothing": () => bulk.takeBulkItem(tx, { ...item, operationId: "" }),
      lockBulkOperation: () => bulk.lockBulkOperation(tx, operation.id),
      markBulkItem: () => bulk.markBulkItem(tx, item, { ok: true, code: null, message: null, newRunId: null, at }),
      setBulkStopped: () => bulk.setBulkStopped(tx, operation.id, at),
    };
  }),
  "feed-store": exampleStore(feed, ({ tx, workspace: { id, organizationId } }) => ({
    readFeeds: () => feed.readFeeds(tx, [{ organizationId, workspaceId: null, after: 0 }], 100),
    readFeed: () => feed.readFeed(tx, { organizationId, workspaceId: null }, 0, 100),
    "readFeed: of a workspace": () => feed.readFeed(tx, { organizationId, workspaceId: id }, 0, 100),
    "readFeed: of a changeset": () =>
      feed.readFeed(tx, { organizationId, workspaceId: null, changesetId: "cs_a" }, 0, 100),
    settleFeeds: () => feed.settleFeeds(tx, [organizationId]),
    dropForeignFloors: () => feed.dropForeignFloors(tx),
    listUnsettledFeeds: () => feed.listUnsettledFeeds(tx),
    findFeedHead: () => feed.findFeedHead(tx, organizationId),
    renewFeedEpochs: () => feed.renewFeedEpochs(tx),
  })),
  "figures-store": exampleStore(figures, ({ database, at }) => ({
    readFigures: () => figures.readFigures(database, at, 1000),
  })),
  "restoration-store": exampleStore(restoration, ({ tx }) => ({
    findEpoch: () => restoration.findEpoch(tx),
    renewEpochs: () => restoration.renewEpochs(tx),
  })),
  "installation-store": exampleStore(installation, ({ database, cipher }) => ({
    checkServerVersion: () => installation.checkServerVersion(database),
    checkMasterKey: () => installation.checkMasterKey(database, cipher),
    masterKeyFits: () => installation.masterKeyFits(database, cipher),
    isReachable: () => installation.isReachable(database),
  })),
  "orphaned-object-store": exampleStore(orphanedObjects, ({ tx, at }) => ({
    noteObject: () => orphanedObjects.noteObject(tx, "blob_1", at),
    claimOrphanedObjects: () => orphanedObjects.claimOrphanedObjects(tx, { at: LATER, stuck: at, limit: 10 }),
    keepObject: () => orphanedObjects.keepObject(tx, "blob_1"),
    dropObject: () => orphanedObjects.dropObject(tx, "blob_1", at),
    forgetObjects: () => orphanedObjects.forgetObjects(tx, ["blob_1"]),
    "forgetObjects: none": () => orphanedObjects.forgetObjects(tx, []),
  })),
  "secret-store": exampleStore(secrets, ({ tx, at }) => ({ lockSecret: () => secrets.lockSecret(tx, HASH, at) })),
  "token-store": exampleStore(tokens, ({ tx, actorId, at, id }) => ({
    insertToken: () =>
      tokens.insertToken(
        tx,
        {
          id: id("token"),
          name: "ci",
          role: "ADMIN",
          permissions: null,
          scopeIds: null,
          actor: { id: actorId, kind: "SYSTEM", name: "system" },
          networks: ["10.0.0.0/8"],
          createdAt: at,
          lastUsedAt: null,
          lastUsedFrom: null,
          expiresAt: null,
          rotatedAt: null,
          revokedAt: null,
        },
        HASH,
      ),
    putAdminToken: () => tokens.putAdminToken(tx, { id: ADMIN_TOKEN_ID, actorId, secretHash: Buffer.alloc(32, 8), at }),
    findTokensBySecret: () => tokens.findTokensBySecret(tx, [HASH], { at, idleSince: at }),
    findTokens: () => tokens.findTokens(tx, [id("token"), ADMIN_TOKEN_ID]),
    findTokenInForce: () => tokens.findTokenInForce(tx, ADMIN_TOKEN_ID, { at, idleSince: at }),
    lockToken: () => tokens.lockToken(tx, ADMIN_TOKEN_ID),
    putToken: async () => {
      const found = await tokens.lockToken(tx, ADMIN_TOKEN_ID);
      if (found !== null) await tokens.putToken(tx, found.token);
    },
    putRotatedSecret: () =>
      tokens.putRotatedSecret(tx, {
        id: ADMIN_TOKEN_ID,
        secretHash: Buffer.alloc(32, 9),
        formerUntil: LATER,
        expiresAt: null,
        at,
      }),
    listTokensOfActor: () => tokens.listTokensOfActor(tx, ADMIN_ACTOR_ID, 10),
    listTokenIds: () => tokens.listTokenIds(tx, ADMIN_ACTOR_ID),
    listTokens: () => tokens.listTokens(tx, { revoked: null, organizationId: null }, FIRST),
    "listTokens: of those that were revoked, backward": () =>
      tokens.listTokens(tx, { revoked: true, organizationId: null }, between("z", "a")),
    "listTokens: of those that were not": () => tokens.listTokens(tx, { revoked: false, organizationId: null }, FIRST),
    "listTokens: of machine users": () =>
      tokens.listTokens(tx, { revoked: null, organizationId: id("organization") }, FIRST),
    revokeToken: () => tokens.revokeToken(tx, id("token"), at),
    touchToken: () => tokens.touchToken(tx, { id: id("token"), from: "192.0.2.1" }, new Date(LATER), 60_000),
  })),
  "upload-store": exampleStore(uploads, ({ tx, blobId, actorId, at, id }) => ({
    insertUpload: () =>
      uploads.insertUpload(tx, { id: id("upload"), blobId, digest: "d", size: 1, createdById: actorId, createdAt: at }),
    findUpload: () => uploads.findUpload(tx, id("upload")),
    claimUploadedBlob: () => uploads.claimUploadedBlob(tx, "d"),
    deleteUnusedUploads: () => uploads.deleteUnusedUploads(tx, LATER),
  })),
};

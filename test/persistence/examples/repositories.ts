import type { GitHost } from "../../../src/model/repository/git-host.ts";
import type { RefChange } from "../../../src/model/repository/ref-change.ts";
import type { Repository } from "../../../src/model/repository/repository.ts";
import * as refs from "../../../src/persistence/repository/git-ref-store.ts";
import * as hosts from "../../../src/persistence/repository/git-host-store.ts";
import * as heads from "../../../src/persistence/repository/head-store.ts";
import * as hints from "../../../src/persistence/repository/hint-store.ts";
import * as looks from "../../../src/persistence/repository/look-store.ts";
import * as changes from "../../../src/persistence/repository/ref-change-store.ts";
import * as triggers from "../../../src/persistence/repository/trigger-store.ts";
import * as superseded from "../../../src/persistence/run/superseded-run-store.ts";
import * as repositories from "../../../src/persistence/repository/repository-store.ts";
import { type CallerScope, EVERYTHING } from "../../../src/model/people/permission.ts";
import { between, exampleStore, FIRST, LATER } from "./world.ts";

const TOKEN = { type: "TOKEN", username: "git", token: "secret" } as const;

const SOME: CallerScope = {
  type: "some",
  organizationIds: ["org_a"],
  hiddenProjectIds: ["prj_h"],
  projectIds: ["prj_a"],
  workspaceIds: ["ws_a"],
};

const LIMITED = { full: [], hosts: ["ghost_a"], counts: [1], perHost: 4 };

export const REPOSITORY_STORES = {
  "git-host-store": exampleStore(hosts, ({ tx, cipher, workspace, actorId, at, id }) => {
    const host = aHost({
      id: id("gitHost"),
      organizationId: workspace.organizationId,
      createdById: actorId,
      createdAt: at,
    });
    const replace = (formerUntil: string | null) => () =>
      hosts.replaceHookSecret(tx, cipher, host.id, { secret: "new", formerUntil });
    return {
      insertGitHost: () => hosts.insertGitHost(tx, cipher, host, { credential: TOKEN, hookSecret: "secret" }),
      lockGitHost: () => hosts.lockGitHost(tx, host.id),
      updateGitHostRow: () => hosts.updateGitHostRow(tx, cipher, host, null),
      "updateGitHostRow: another credential": () => hosts.updateGitHostRow(tx, cipher, host, { type: "NONE" }),
      replaceHookSecret: replace(LATER),
      "replaceHookSecret: the former one ends now": replace(null),
      findHostCredential: () => hosts.findHostCredential(tx, cipher, host.id),
      findHookDoor: () => hosts.findHookDoor(tx, cipher, host.hookPath, at),
      findGitHosts: () => hosts.findGitHosts(tx, [host.id]),
      listGitHostsOfOrganizations: () => hosts.listGitHostsOfOrganizations(tx, [host.organizationId]),
      countGitHosts: () => hosts.countGitHosts(tx, host.organizationId),
      markGitHostDeleted: () => hosts.markGitHostDeleted(tx, host.id, at),
    };
  }),
  "repository-store": exampleStore(repositories, ({ tx, prepare, cipher, workspace, actorId, at, id }) => {
    const { organizationId } = workspace;
    const common = { organizationId, createdById: actorId, createdAt: at };
    const host = aHost({ id: id("gitHost"), ...common });
    const repository = aRepository({ id: id("repository"), gitHostId: host.id, ...common });
    return {
      insertRepository: async () => {
        await prepare(hosts.insertGitHost(tx, cipher, host, { credential: TOKEN, hookSecret: "secret" }));
        await repositories.insertRepository(tx, repository);
      },
      lockRepository: () => repositories.lockRepository(tx, repository.id),
      holdRepository: () => repositories.holdRepository(tx, repository.id),
      updateRepositoryRow: () => repositories.updateRepositoryRow(tx, repository),
      setDefaultBranch: () => repositories.setDefaultBranch(tx, repository.id, "main"),
      findRepositories: () => repositories.findRepositories(tx, [repository.id]),
      listRepositoriesOfOrganizations: () => repositories.listRepositoriesOfOrganizations(tx, [organizationId]),
      listRepositoriesOfHost: () => repositories.listRepositoriesOfHost(tx, host.id),
      countRepositories: () => repositories.countRepositories(tx, organizationId),
      listWorkspacesUsing: () => repositories.listWorkspacesUsing(tx, repository.id, 3),
      markRepositoryDeleted: () => repositories.markRepositoryDeleted(tx, repository.id, at),
    };
  }),
  "hint-store": exampleStore(hints, ({ tx, at, id }) => {
    const hint = {
      gitHostId: id("gitHost"),
      deliveryId: "delivery",
      event: "push",
      remoteId: "1",
      name: "acme/infrastructure",
      at,
      byFormer: false,
    };
    return {
      recordHint: () => hints.recordHint(tx, hint),
      removeHintsBefore: () => hints.removeHintsBefore(tx, at, 10),
    };
  }),
  "look-store": exampleStore(looks, ({ tx, at, id }) => {
    const repositoryId = id("repository");
    const claim = { by: "server", at, until: LATER, notSince: at };
    return {
      claimLooks: () => looks.claimLooks(tx, claim, LIMITED, 8),
      "claimLooks: of one repository": () => looks.claimLooks(tx, { ...claim, repositoryId }, LIMITED, 1),
      renewLooks: () => looks.renewLooks(tx, "server", LATER),
      releaseLooks: () => looks.releaseLooks(tx, "server"),
      lockLook: () => looks.lockLook(tx, repositoryId, "server"),
      endLook: () =>
        looks.endLook(tx, {
          repositoryId,
          done: 1,
          at,
          nextAt: LATER,
          error: null,
          failures: 0,
          foundBy: "HHH",
          tagsSeen: true,
        }),
      requestLook: () => looks.requestLook(tx, repositoryId),
      findLooks: () => looks.findLooks(tx, [repositoryId]),
    };
  }),
  "git-ref-store": exampleStore(refs, ({ tx, prepare, cipher, workspace, actorId, at, id }) => {
    const common = { organizationId: workspace.organizationId, createdById: actorId, createdAt: at };
    const host = aHost({ id: id("gitHost"), ...common });
    const repository = aRepository({ id: id("repository"), gitHostId: host.id, ...common });
    const repositoryId = repository.id;
    return {
      findFollowedRefs: () => refs.findFollowedRefs(tx, repositoryId),
      listGitRefs: () => refs.listGitRefs(tx, repositoryId),
      setGitRefs: async () => {
        await prepare(hosts.insertGitHost(tx, cipher, host, { credential: TOKEN, hookSecret: "secret" }));
        await prepare(repositories.insertRepository(tx, repository));
        await refs.setGitRefs(tx, repositoryId, [{ ref: "refs/heads/main", oid: null }], at);
      },
      forgetGitRefs: () => refs.forgetGitRefs(tx, repositoryId, ["refs/heads/main"]),
    };
  }),
  "ref-change-store": exampleStore(changes, ({ tx, prepare, cipher, workspace, actorId, at, id }) => {
    const common = { organizationId: workspace.organizationId, createdById: actorId, createdAt: at };
    const host = aHost({ id: id("gitHost"), ...common });
    const repository = aRepository({ id: id("repository"), gitHostId: host.id, ...common });
    const change = { ...aChange(repository, at), id: id("refChange") };
    return {
      takeChangeNumbers: async () => {
        await prepare(hosts.insertGitHost(tx, cipher, host, { credential: TOKEN, hookSecret: "secret" }));
        await prepare(repositories.insertRepository(tx, repository));
        await changes.takeChangeNumbers(tx, repository.id, 1);
      },
      insertRefChanges: () => changes.insertRefChanges(tx, [change]),
      findRefChanges: () => changes.findRefChanges(tx, [change.id]),
      listRefChanges: () => changes.listRefChanges(tx, repository.id, null, FIRST),
      "listRefChanges: of one ref, between two": () =>
        changes.listRefChanges(tx, repository.id, change.ref, between(9, 1)),
      listRefChangesSince: () => changes.listRefChangesSince(tx, repository.id, 0, 100),
      removeRefChangesBefore: () => changes.removeRefChangesBefore(tx, at, 10),
      findLastChange: () => changes.findLastChange(tx, repository.id),
    };
  }),
  "trigger-store": exampleStore(triggers, ({ tx, prepare, cipher, workspace, actorId, at, id }) => {
    const refChangeId = id("refChange");
    return {
      claimRefChanges: () => triggers.claimRefChanges(tx, { by: "server", at, until: LATER, passed: [] }, LIMITED, 4),
      renewRefChanges: () => triggers.renewRefChanges(tx, "server", LATER),
      lockUndecided: () => triggers.lockUndecided(tx, refChangeId, "server"),
      lockEarlierChanges: () =>
        triggers.lockEarlierChanges(tx, { repositoryId: id("repository"), ref: "refs/tags/v1", seq: 9 }),
      endRefChange: () => triggers.endRefChange(tx, { id: refChangeId, at, forced: false, changesetId: null }),
      failRefChange: () => triggers.failRefChange(tx, refChangeId, "away"),
      deferRefChange: () => triggers.deferRefChange(tx, refChangeId, LATER),
      findSettledCommit: () =>
        triggers.findSettledCommit(tx, {
          id: refChangeId,
          repositoryId: id("repository"),
          ref: "refs/heads/main",
          seq: 9,
        }),
      isNewWithin: () =>
        triggers.isNewWithin(tx, { id: refChangeId, repositoryId: id("repository"), ref: "refs/tags/v1", seq: 9 }),
      findDoneInputs: () => triggers.findDoneInputs(tx, [workspace.id], "refs/heads/main", LATER),
      insertDecisions: async () => {
        const common = { organizationId: workspace.organizationId, createdById: actorId, createdAt: at };
        const host = aHost({ id: id("gitHost"), ...common });
        const repository = aRepository({ id: id("repository"), gitHostId: host.id, ...common });
        const change = { ...aChange(repository, at), id: refChangeId };
        await prepare(hosts.insertGitHost(tx, cipher, host, { credential: TOKEN, hookSecret: "secret" }));
        await prepare(repositories.insertRepository(tx, repository));
        await prepare(changes.insertRefChanges(tx, [change]));
        const verdict = { outcome: "SKIPPED", reason: "TAG_MOVED", message: "It was moved." } as const;
        await triggers.insertDecisions(tx, [
          { ...verdict, refChangeId, workspaceId: workspace.id, inputsDigest: null, changed: ["a"], at },
        ]);
      },
      findDecision: () => triggers.findDecision(tx, refChangeId, workspace.id),
      listDecisions: () => triggers.listDecisions(tx, EVERYTHING, refChangeId, FIRST),
      "listDecisions: some": () => triggers.listDecisions(tx, SOME, refChangeId, FIRST),
      "listDecisions: between two": () => triggers.listDecisions(tx, EVERYTHING, refChangeId, between("a", "z")),
    };
  }),
  "head-store": exampleStore(heads, ({ tx, at, id, workspace }) => {
    const head = { workspaceId: workspace.id, commit: "a", basis: "b", digest: "c" };
    return {
      claimStaleHeads: () => heads.claimStaleHeads(tx, { at, until: LATER }, 2),
      releaseHeads: () => heads.releaseHeads(tx, id("repository"), null),
      listStaleHeads: () => heads.listStaleHeads(tx, id("repository")),
      upsertHeads: () => heads.upsertHeads(tx, [head], at),
      findSyncs: () => heads.findSyncs(tx, [workspace.id]),
    };
  }),
  "superseded-run-store": exampleStore(superseded, ({ tx, run }) => ({
    listOlderRuns: () =>
      superseded.listOlderRuns(tx, run, {
        type: "PUSH",
        refChangeId: "refc_a",
        ref: "refs/heads/main",
        commit: "c0ffee",
      }),
    "listOlderRuns: that go back": () => superseded.listOlderRuns(tx, run, { type: "ROLLBACK" }),
    "listOlderRuns: of a promotion": () =>
      superseded.listOlderRuns(tx, run, {
        type: "PROMOTION",
        changesetId: "cs_a",
        pipelineId: "pipe_a",
        stage: "prod",
        commit: "c0ffee",
      }),
    setSupersededBy: () => superseded.setSupersededBy(tx, run.id, run.id),
    findSupersedingRuns: () => superseded.findSupersedingRuns(tx, [run.id]),
    listOvertakenChecks: () => superseded.listOvertakenChecks(tx, 10),
  })),
};

function aChange({ id: repositoryId, organizationId }: Repository, at: string): Omit<RefChange, "id"> {
  return {
    organizationId,
    repositoryId,
    seq: 1,
    ref: "refs/heads/main",
    before: null,
    after: "a".repeat(40),
    forced: null,
    foundBy: "HOOK",
    foundAt: at,
    decidedAt: null,
    changesetId: null,
    supersededById: null,
    error: null,
  };
}

function aHost(facts: Pick<GitHost, "id" | "organizationId" | "createdById" | "createdAt">): GitHost {
  return {
    kind: "GITHUB",
    name: "github",
    url: "https://github.com",
    credential: "TOKEN",
    hookPath: "path",
    formerHookSecretUntil: null,
    formerHookSecretUsedAt: null,
    ...facts,
  };
}

function aRepository(
  facts: Pick<Repository, "id" | "organizationId" | "gitHostId" | "createdById" | "createdAt">,
): Repository {
  const name = "acme/infrastructure";
  return { name, url: `https://github.com/${name}.git`, remoteId: null, defaultBranch: null, ...facts };
}

import * as evaluations from "../../../src/persistence/policy/evaluation-store.ts";
import * as judgedSets from "../../../src/persistence/policy/judged-set-store.ts";
import * as previousRuns from "../../../src/persistence/run/previous-run-store.ts";
import * as judges from "../../../src/persistence/policy/judge-store.ts";
import * as results from "../../../src/persistence/policy/result-store.ts";
import { CompiledQuery } from "kysely";
import { putPolicies } from "../../support/judgement-rows.ts";
import { between, exampleStore, FIRST, LATER, type World } from "./world.ts";

const LEASE = { by: "server", at: LATER, until: LATER };

function evaluationOf({ leased, at, id }: World, versionId: string) {
  return {
    id: id("policyEvaluation"),
    runId: leased.id,
    point: "PLAN",
    planVersion: 1,
    versionId,
    isShadow: false,
    createdAt: at,
  } as const;
}

async function activeVersion({ tx, prepare, workspace }: World, suffix: string): Promise<string> {
  const send = (text: string, ...values: unknown[]) => tx.sql.executeQuery(CompiledQuery.raw(text, values));
  const { organizationId } = workspace;
  let versionId = "";
  await prepare(putPolicies(send, { suffix, organizationId }).then((ids) => (versionId = ids.versionId)));
  return versionId;
}

async function insert(world: World): Promise<void> {
  const versionId = await activeVersion(world, "example");
  await evaluations.insertEvaluations(world.tx, [evaluationOf(world, versionId)]);
}

export const JUDGEMENT_STORES = {
  "judged-set-store": exampleStore(judgedSets, ({ tx }) => ({
    findJudgedSet: () => judgedSets.findJudgedSet(tx, "pver_1").catch(() => undefined),
  })),
  "previous-run-store": exampleStore(previousRuns, ({ tx, workspace }) => ({
    findPreviousRun: () => previousRuns.findPreviousRun(tx, workspace.id, 3),
    "findPreviousRun: of a run that does not exist yet": () => previousRuns.findPreviousRun(tx, workspace.id, null),
  })),
  "judge-store": exampleStore(judges, ({ tx, workspace }) => ({
    findDecidingRules: () => judges.findDecidingRules(tx, workspace.id),
    hasProbesOfWorkspace: () => undefined,
    judgesOfWorkspace: () => undefined,
    toJudges: () => undefined,
  })),
  "evaluation-store": exampleStore(evaluations, (world) => {
    const { tx, at, leased, id } = world;
    const evaluationId = id("policyEvaluation");
    const end = { status: "PASSED", passed: 1, dropped: 0, error: null, cpuMs: 3, finishedAt: at } as const;
    return {
      toEvaluation: () => undefined,
      insertEvaluations: () => insert(world),
      insertJudgedEvaluations: async () => {
        const { point: _point, planVersion: _planVersion, ...rest } = evaluationOf(world, "pver_1");
        const judged = { ...rest, ...end, id: "peval_judged", versionId: await activeVersion(world, "judged") };
        await evaluations.insertJudgedEvaluations(tx, [judged]);
      },
      leaseEvaluations: () => evaluations.leaseEvaluations(tx, LEASE, 4),
      extendLeases: () => evaluations.extendLeases(tx, LEASE, [evaluationId]),
      releaseEvaluations: () => evaluations.releaseEvaluations(tx, "server"),
      finishEvaluation: () => evaluations.finishEvaluation(tx, { id: evaluationId, by: "server" }, end),
      cancelEvaluations: () => evaluations.cancelEvaluations(tx, leased.id, at),
      listDecidingEvaluations: () => evaluations.listDecidingEvaluations(tx, leased, ["PLAN", "PRE_APPLY"]),
      markAnnounced: () => evaluations.markAnnounced(tx, [evaluationId]),
      findEvaluations: () => evaluations.findEvaluations(tx, [evaluationId]),
      listEvaluationsOfRuns: () => evaluations.listEvaluationsOfRuns(tx, [leased.id]),
      listRunsToConclude: () => evaluations.listRunsToConclude(tx, 10),
    };
  }),
  "result-store": exampleStore(results, (world) => {
    const { tx, leased, prepare, id } = world;
    const evaluationId = id("policyEvaluation");
    const result = {
      id: id("policyResult"),
      policy: "p",
      rule: "p",
      level: "MANDATORY",
      stopsAutoApply: true,
      status: "FAILED",
      message: "It is public.",
      addresses: ["a.b"],
      addressesInferred: false,
      remediation: null,
      approvers: null,
      trace: null,
      fingerprint: "00ff",
    } as const;
    return {
      insertResults: async () => {
        await prepare(insert(world));
        await results.insertResults(tx, evaluationId, [result]);
      },
      countCreationWarnings: () => results.countCreationWarnings(tx, leased.id),
      listDecidingResults: () => results.listDecidingResults(tx, leased, ["PLAN"], 10),
      hasMoreResults: () => results.hasMoreResults(tx, leased, ["PLAN"], 10),
      removeResults: () => results.removeResults(tx, [leased.id], 100),
      setExceptions: () => results.setExceptions(tx, [{ id: result.id, exceptionId: "pexc_1", status: "WAIVED" }]),
      findResults: () => results.findResults(tx, [result.id]),
      listResults: () => results.listResults(tx, evaluationId, [], FIRST),
      "listResults: of statuses, backward": () => results.listResults(tx, evaluationId, ["FAILED"], between(0, 9)),
    };
  }),
};

/** External checks and their results, without a service. */
import type { CheckOutcome, CheckStage, ExternalCheck } from "../../src/model/check/external-check.ts";
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import { insertResults } from "../../src/persistence/check/check-result-store.ts";
import { insertCheck } from "../../src/persistence/check/check-store.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";

const OUTCOME: CheckOutcome = {
  outcomeId: "o",
  description: "public",
  body: "# Why",
  url: "https://scanner.example.com/o",
  tags: [{ name: "Severity", labels: [{ label: "High", level: "error" }] }],
};

/** Inserts a check of all workspaces that is asked after applies, so that it holds up no run. Returns its id. */
export async function insertCheckRow(
  deps: Pick<Deps, "database" | "cipher" | "newId" | "clock">,
  organizationId: string,
  settings: Partial<ExternalCheck> = {},
): Promise<string> {
  const id = deps.newId("externalCheck");
  const check: ExternalCheck = {
    id,
    organizationId,
    name: id,
    url: "https://scanner.example.com/",
    signed: false,
    viaPoolId: null,
    stages: ["POST_APPLY"],
    level: "ADVISORY",
    onError: "FAIL_OPEN",
    estimatesCost: false,
    selector: { labels: [], names: [], kinds: null, workspaceIds: [], excludedWorkspaceIds: [] },
    progressSeconds: 600,
    totalSeconds: 3600,
    enabled: true,
    createdById: ADMIN_ACTOR_ID,
    createdAt: deps.clock().toISOString(),
    ...settings,
  };
  await deps.database.transaction((tx) => insertCheck(tx, deps.cipher, check, null));
  return id;
}

/** Inserts a failed result about a run. Returns its id. */
export async function insertResultRow(
  deps: Pick<Deps, "database" | "newId" | "clock">,
  {
    runId,
    checkId,
    stage = "POST_APPLY",
    planVersion = 1,
  }: { runId: string; checkId: string; stage?: CheckStage; planVersion?: number },
): Promise<string> {
  const id = deps.newId("externalCheckResult");
  const limits = { estimatesCost: false, progressSeconds: 600, totalSeconds: 3600 };
  const at = deps.clock().toISOString();
  const of = { id, checkId, runId, stage, planVersion, createdAt: at };
  await deps.database.transaction(async (tx) => {
    await insertResults(tx, [{ ...of, level: "ADVISORY", onError: "FAIL_OPEN", ...limits }]);
    await tx.sql
      .updateTable("external_check_result")
      .set({
        status: "FAILED",
        message: "1 failed",
        finished_at: at,
        due_at: null,
        outcomes: JSON.stringify([OUTCOME]),
      })
      .where("id", "=", id)
      .execute();
  });
  return id;
}

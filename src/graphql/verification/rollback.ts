import { planRisks } from "../../model/run/rollback.ts";
import type { RollbackRisk } from "../../model/run/rollback-risk.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { builder } from "../kit/builder.ts";
import { loaderOf } from "../kit/loader.ts";
import { runLoader, RunRef } from "../kit/refs.ts";
import { runCauseRef } from "../run/run-cause.ts";
import { readNewestPlan, readRollbackTarget } from "../run/run-relations.ts";
import { wholeRunField } from "../run/whole-run.ts";
import { RollbackModeEnum } from "./rollback-mode.ts";

const candidateLoader = loaderOf((domain, caller, ids) => domain.rollbackCandidates(caller, ids));

const RollbackRiskEnum = describedEnum<RollbackRisk>("RollbackRisk", "A risk of a rollback.", {
  DESTROYS: "Its plan deletes, replaces or forgets something.",
  INCOMPLETE_PLAN: "Its plan does not show everything.",
  PROVIDER_DOWNGRADE: "The earlier source locks an older provider, which may not read the state.",
  ENGINE_DOWNGRADE: "The earlier run was made by an older engine, or another one, than wrote the state.",
  GUARD_MOVED: "A value that must be the same now as then is another one, or is not known.",
});

runCauseRef("ROLLBACK", "RollbackCause").implement({
  description: "The result of an apply did not pass its verification. `Run.origin` is that run.",
  fields: (t) => ({
    mode: t.expose("mode", { type: RollbackModeEnum, description: "The mode of the workspace at that time." }),
  }),
});

builder.objectFields(RunRef, (t) => ({
  rollsBackTo: t.field({
    type: RunRef,
    nullable: true,
    description: "The run to whose configuration this run goes back. `null` if it is no rollback.",
    ...wholeRunField((run, context) => readRollbackTarget(context, run)),
  }),
  rollbackRisks: t.field({
    type: [RollbackRiskEnum],
    description: "The risks of this rollback. Empty for other runs.",
    ...wholeRunField(async (run, context) => {
      if ((await readRollbackTarget(context, run)) === null) return [];
      const plan = await readNewestPlan(context, run);
      const ofPlan = plan === null ? [] : planRisks({ ...plan, targeted: plan.targets.length > 0 });
      return [...(run.cause?.type === "ROLLBACK" ? run.cause.risks : []), ...ofPlan];
    }),
  }),
  rollbackCandidate: t.field({
    type: RunRef,
    nullable: true,
    description:
      "The newest earlier run of the workspace whose result is known to be good. `null` if there is none, or a destroy came between.",
    resolve: async ({ id }, _args, { loaders }) => {
      const candidate = await loaders.load(candidateLoader, id);
      return candidate === null ? null : loaders.load(runLoader, candidate);
    },
  }),
}));

import type { CheckBlock, CheckBlockStatus, CheckReport } from "../../model/plan/check-block.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { RunRef, WorkspaceRef } from "../kit/refs.ts";

export const checkReportLoader = loaderOf((domain, caller, ids) => domain.checkReports(caller, ids));
const appliedReportLoader = loaderOf((domain, caller, ids) => domain.appliedCheckReports(caller, ids));

const StatusEnum = describedEnum<CheckBlockStatus>("CheckBlockStatus", "The result of a check block.", {
  PASSED: "All its assertions hold.",
  FAILED: "An assertion does not hold.",
  ERRORED: "An assertion could not be evaluated.",
  UNKNOWN: "An assertion depends on a value that is known only after the apply.",
});

const CheckBlockRef = builder.objectRef<CheckBlock>("CheckBlock").implement({
  description: "The result of one `check` block of the configuration.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "Its address, such as `module.web.check.answers`." }),
    status: t.expose("status", { type: StatusEnum, description: "The result." }),
    problems: t.exposeStringList("problems", {
      description: `The messages of the assertions that do not hold, masked; at most ${LIMITS.checkProblems}.`,
    }),
  }),
});

const CheckReportRef = builder.objectRef<CheckReport>("CheckReport").implement({
  description: "The results of the `check` blocks of a configuration.",
  fields: (t) => ({
    afterApply: t.exposeBoolean("afterApply", {
      description: "Whether they were evaluated after the apply. If not, they are those of the plan.",
    }),
    count: t.exposeInt("count", { description: "The number of all check blocks." }),
    failedCount: t.exposeInt("failedCount", { description: "The number of those that are FAILED or ERRORED." }),
    blocks: t.expose("blocks", {
      type: [CheckBlockRef],
      description: `The check blocks, those that fail first, then by address. At most ${LIMITS.checkBlocks}.`,
    }),
  }),
});

builder.objectField(RunRef, "checks", (t) =>
  t.field({
    type: CheckReportRef,
    nullable: true,
    description:
      "The check blocks of its newest plan, and after its apply those of the state. `null` if the configuration has none, or nothing was planned yet.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(checkReportLoader, id),
  }),
);

builder.objectField(WorkspaceRef, "checks", (t) =>
  t.field({
    type: CheckReportRef,
    nullable: true,
    extensions: requiredPermissions("RUN_READ"),
    description: "The check blocks after its last apply. `null` if there were none.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(appliedReportLoader, id),
  }),
);

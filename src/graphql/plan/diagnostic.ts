import { LIMITS } from "../../model/kit/limits.ts";
import type { Diagnostic, Severity } from "../../model/plan/diagnostic.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { loaderOf } from "../kit/loader.ts";
import { PlanRef, RunRef } from "../kit/refs.ts";

const runDiagnosticsLoader = loaderOf((domain, caller, ids) => domain.runDiagnostics(caller, ids));
const planDiagnosticsLoader = loaderOf((domain, caller, ids) => domain.planDiagnostics(caller, ids));

const SeverityEnum = describedEnum<Severity>("Severity", "How severe a diagnostic is.", {
  ERROR: "The engine could not do what it was asked to.",
  WARNING: "The engine continued.",
});

const DiagnosticRef = builder.objectRef<Diagnostic>("Diagnostic").implement({
  description: "An error or a warning of the engine, from its JSON output, with secrets masked.",
  fields: (t) => ({
    severity: t.expose("severity", { type: SeverityEnum, description: "How severe it is." }),
    summary: t.exposeString("summary", { description: "The summary." }),
    detail: t.exposeString("detail", {
      nullable: true,
      description: "The explanation. `null` if the engine gives no more than the summary.",
    }),
    address: t.exposeString("address", {
      nullable: true,
      description: "The address of the resource. `null` if it is about none.",
    }),
    file: t.exposeString("file", {
      nullable: true,
      description: "The file of the configuration, relative to its folder. `null` without a place.",
    }),
    line: t.exposeInt("line", { nullable: true, description: "The line of `file`, from 1." }),
    snippet: t.exposeString("snippet", {
      nullable: true,
      description: "The lines of the configuration that it is about. `null` without a place.",
    }),
    logLine: t.exposeInt("logLine", {
      nullable: true,
      description: "The number of the line where it begins in `Run.log`. `null` if the log does not have it.",
    }),
  }),
});

builder.objectField(PlanRef, "diagnostics", (t) =>
  t.field({
    type: [DiagnosticRef],
    description: `The warnings of the engine when it made the plan, in its order; at most ${LIMITS.diagnostics}. Empty for a plan that was stored without.`,
    resolve: ({ id }, _args, { loaders }) => loaders.load(planDiagnosticsLoader, id),
  }),
);

builder.objectField(RunRef, "diagnostics", (t) =>
  t.field({
    type: [DiagnosticRef],
    description: `The errors and warnings of the run's engines, oldest first, without those of plans that a newer one replaced; at most ${LIMITS.diagnostics} of each plan, apply or failure. Empty for a run that was stored without.`,
    resolve: ({ id }, _args, { loaders }) => loaders.load(runDiagnosticsLoader, id),
  }),
);

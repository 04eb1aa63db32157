import { NO_SCAN, type ScanResult, type ScanStatus } from "../../model/run/scan.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { loaderOf } from "../kit/loader.ts";
import { RunRef } from "../kit/refs.ts";
import { DeployShapeEnum } from "./deploy-shape.ts";

const scanLoader = loaderOf((domain, caller, ids) => domain.scans(caller, ids));

const StatusEnum = describedEnum<ScanStatus>("ScanBuildStatus", "The result of the build that a DETECT hook made.", {
  PASSED: "The build succeeded.",
  FAILED: "The build failed.",
  SKIPPED: "Nothing was built, or no hook looked.",
});

const ScanRef = builder.objectRef<ScanResult>("ScanResult").implement({
  description: "The result of a DETECT hook about a deployment.",
  fields: (t) => ({
    status: t.expose("status", { type: StatusEnum, description: "The result of its build." }),
    shape: t.expose("shape", {
      type: DeployShapeEnum,
      nullable: true,
      description: "The shape. `null` if it is not known.",
    }),
    hasStartCommand: t.exposeBoolean("hasStartCommand", {
      nullable: true,
      description: "Whether there is a command that starts a server. `null` if that is not known.",
    }),
    units: t.exposeStringList("units", { description: "The names of the parts that are deployed." }),
    summary: t.exposeString("summary", { nullable: true, description: "A text for people. `null` if there is none." }),
  }),
});

builder.objectField(RunRef, "scan", (t) =>
  t.field({
    type: ScanRef,
    description: "The result of a DETECT hook about the deployment of the run. SKIPPED if no hook reported one.",
    resolve: async ({ id }, _args, { loaders }) => (await loaders.load(scanLoader, id)) ?? NO_SCAN,
  }),
);

import { type DeployShape, type DeployTarget, deployTarget, knownShape } from "../../model/workspace/deploy-shape.ts";
import type { TestMode } from "../../model/workspace/test-mode.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { WorkspaceRef } from "../kit/refs.ts";

export const TestModeEnum = describedEnum<TestMode>("TestMode", "The tests of a configuration that runs execute.", {
  OFF: "None.",
  PLAN_ONLY: "Those that create nothing. A test file with a run that applies, which is the default, is refused.",
  ALL: "All. They may create real infrastructure, with the credentials of the workspace, and destroy it at their end.",
});

export const DeployShapeEnum = describedEnum<DeployShape>("DeployShape", "The shape of what a workspace deploys.", {
  STATIC: "Files.",
  STATIC_BUILD: "Files that a build makes, or a server if there is a start command.",
  SERVER: "One service.",
  MULTI: "Several services.",
  EXISTING_DOCKER: "A service with a Dockerfile of its own.",
});

const DeployTargetEnum = describedEnum<DeployTarget>("DeployTarget", "The infrastructure that a shape needs.", {
  S3: "A bucket of files.",
  ECS: "Containers.",
});

builder.objectFields(WorkspaceRef, (t) => ({
  tests: t.expose("tests", {
    type: TestModeEnum,
    description: "The tests of the configuration that runs execute before their plan.",
  }),
  deployShape: t.field({
    type: DeployShapeEnum,
    nullable: true,
    description:
      "The shape of what it deploys: as people have set it, else as a DETECT hook found it. `null` if it is not known.",
    resolve: (workspace) => knownShape(workspace).shape,
  }),
  hasStartCommand: t.boolean({
    nullable: true,
    description: "Whether what it deploys has a command that starts a server. `null` if it is not known.",
    resolve: (workspace) => knownShape(workspace).hasStartCommand,
  }),
  deployTarget: t.field({
    type: DeployTargetEnum,
    nullable: true,
    description: "The infrastructure that its shape needs. `null` if it is not known.",
    resolve: (workspace) => deployTarget(knownShape(workspace)),
  }),
}));

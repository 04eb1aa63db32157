import { type WorkspaceAction, WorkspaceSettingsDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { ListState } from "../parts/list-state.tsx";
import { useTick } from "../parts/use-tick.ts";
import { ConfigurationTests } from "./configuration-tests.tsx";
import { DeployShape } from "./deploy-shape.tsx";
import { DriftSettings } from "./drift-settings.tsx";
import { Expiry } from "./expiry.tsx";
import { Hooks } from "./hooks.tsx";
import { Limits } from "./limits.tsx";
import { Rollback } from "./rollback.tsx";
import { RunnerChoice } from "./runner-choice.tsx";
import { Verification } from "./verification.tsx";
import { WorkspaceChecks } from "./workspace-checks.tsx";

interface WorkspaceSettingsOf {
  readonly workspace: {
    readonly id: string;
    readonly name: string;
    readonly organization: { readonly slug: string };
  };
  /** Whether the person may do an action of the workspace now. */
  readonly allows: (action: WorkspaceAction) => boolean;
}

/** The settings of a workspace that its page shows below its runs, and what checks it. */
export function WorkspaceSettings({ workspace, allows }: WorkspaceSettingsOf) {
  const { id: workspaceId, name, organization } = workspace;
  const [read, onChange] = useDocument(WorkspaceSettingsDocument, { id: workspaceId });
  useTick(onChange);
  const found = read.data?.workspace;
  if (found == null) return <ListState read={read} count={0} empty="The settings are not shown to you." />;
  const { viewerPermissions } = found;
  const of = { workspaceId, name, onChange };
  const canSetGates = allows("UPDATE_GATES");
  return (
    <>
      <Hooks hooks={found.hooks} canWrite={allows("UPDATE_HOOKS")} {...of} />
      <Limits limits={found.limits} effective={found.effectiveLimits} canWrite={canSetGates} {...of} />
      <DriftSettings
        settings={found.driftSettings}
        canWrite={allows("UPDATE")}
        canDeploy={viewerPermissions.includes("RUN_DEPLOY")}
        {...of}
      />
      <Verification settings={found.verificationSettings} canWrite={canSetGates} {...of} />
      <Rollback settings={found.rollbackSettings} canWrite={canSetGates} {...of} />
      <ConfigurationTests mode={found.tests} canWrite={canSetGates} {...of} />
      <DeployShape settings={found} canWrite={allows("UPDATE")} {...of} />
      <RunnerChoice
        organization={organization.slug}
        pool={found.runnerPool}
        labels={found.runnerLabels}
        canSeePool={viewerPermissions.includes("RUNNER_READ")}
        canWrite={allows("UPDATE_RUNNER")}
        {...of}
      />
      <Expiry settings={found} canWrite={allows("UPDATE")} {...of} />
      <WorkspaceChecks checks={found.externalChecks} report={found.checks ?? null} organization={organization.slug} />
    </>
  );
}

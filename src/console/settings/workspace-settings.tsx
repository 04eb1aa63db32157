import { WorkspaceSettingsDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { ListState } from "../parts/list-state.tsx";
import { useTick } from "../parts/use-tick.ts";
import { Hooks } from "./hooks.tsx";
import { Limits } from "./limits.tsx";
import { WorkspaceChecks } from "./workspace-checks.tsx";

interface WorkspaceSettingsOf {
  readonly workspace: {
    readonly id: string;
    readonly name: string;
    readonly organization: { readonly slug: string };
  };
  readonly canSetHooks: boolean;
  readonly canSetLimits: boolean;
}

/** The hooks, the limits and the checks of a workspace. */
export function WorkspaceSettings({ workspace, canSetHooks, canSetLimits }: WorkspaceSettingsOf) {
  const { id: workspaceId, name, organization } = workspace;
  const [read, onChange] = useDocument(WorkspaceSettingsDocument, { id: workspaceId });
  useTick(onChange);
  const found = read.data?.workspace;
  if (found == null) return <ListState read={read} count={0} empty="The settings are not shown to you." />;
  const of = { workspaceId, name, onChange };
  return (
    <>
      <Hooks hooks={found.hooks} canWrite={canSetHooks} {...of} />
      <Limits limits={found.limits} effective={found.effectiveLimits} canWrite={canSetLimits} {...of} />
      <WorkspaceChecks checks={found.externalChecks} report={found.checks ?? null} organization={organization.slug} />
    </>
  );
}

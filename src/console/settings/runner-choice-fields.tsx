import { RunnerPoolNamesDocument, type WorkspaceSettingsQuery } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { ChoiceField, TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";

type Settings = NonNullable<WorkspaceSettingsQuery["workspace"]>;

interface RunnerFieldsOf {
  readonly organization: string;
  readonly pool: Settings["runnerPool"];
  readonly labels: readonly string[];
}

/** The fields of the runners that take the runs of a workspace. */
export function RunnerChoiceFields({ organization, pool, labels }: RunnerFieldsOf) {
  return (
    <>
      <PoolField organization={organization} pool={pool ?? null} />
      <TextField
        name="runnerLabels"
        label="Labels that a runner must have"
        placeholder="gpu, region:eu"
        hint="With commas. A runner needs all of them."
        defaultValue={labels.join(", ")}
      />
    </>
  );
}

/** The pool whose runners take the runs: a choice where there is a pool that the person sees. */
function PoolField({ organization, pool }: { organization: string; pool: NonNullable<Settings["runnerPool"]> | null }) {
  const [{ data, fetching }] = useDocument(RunnerPoolNamesDocument, { organization });
  if (data === undefined && fetching) return <p className="quiet">Loading…</p>;
  const others = data?.organization?.runnerPools.filter(({ id }) => id !== pool?.id) ?? [];
  const pools = pool === null ? others : [pool, ...others];
  if (pools.length === 0) return null;
  return (
    <ChoiceField
      name="runnerPoolId"
      label="Pool"
      choices={[
        ["", "None: shared runners, and pools that are not reserved"],
        ...pools.map(({ id, name }) => [id, visible(name)] as const),
      ]}
      hint="The runners get the credentials of the workspace."
      defaultValue={pool?.id ?? ""}
    />
  );
}

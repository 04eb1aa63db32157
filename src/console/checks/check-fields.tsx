import { type ExternalCheckRowFragment, RunnerPoolNamesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { BoxesField, ChoiceField, TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";
import { CHECK_STAGES, ERROR_MODES, LEVELS } from "./check-input.ts";

const COST = ["estimatesCost", "It estimates the cost, for policies about it"] as const;
const UNSIGNED = ["unsigned", "Delete the key: requests are not signed"] as const;

interface CheckFieldsOf {
  readonly organization: string;
  readonly check?: ExternalCheckRowFragment;
}

/** The fields of a new external check, or of one that is changed. */
export function CheckFields({ organization, check }: CheckFieldsOf) {
  return (
    <>
      <TextField name="name" label="Name" required defaultValue={check?.name ?? ""} />
      <TextField
        name="url"
        label="Address of the service"
        type="url"
        required
        placeholder="https://scanner.example.com/run-task"
        defaultValue={check?.url ?? ""}
      />
      <TextField
        name="hmacKey"
        label="Key that signs requests"
        type="password"
        hint={check?.signed === true ? "If you leave it empty, the key stays." : "Requests are not signed without one."}
      />
      <BoxesField
        name="stages"
        label="It is asked"
        choices={Object.entries(CHECK_STAGES)}
        checked={check?.stages ?? ["POST_PLAN"]}
      />
      <ChoiceField
        name="level"
        label="If it fails"
        choices={Object.entries(LEVELS)}
        defaultValue={check?.level ?? "SOFT_MANDATORY"}
      />
      <ChoiceField
        name="onError"
        label="If there is no answer"
        choices={Object.entries(ERROR_MODES)}
        defaultValue={check?.onError ?? "FAIL_CLOSED"}
      />
      <TextField
        name="names"
        label="Names of workspaces"
        hint="With commas; * is any text. All, if you leave it empty."
        defaultValue={check?.selector.names.join(", ") ?? ""}
      />
      <TextField
        name="labels"
        label="Labels of workspaces"
        hint="With commas: key, or key:value."
        defaultValue={check?.selector.labels.join(", ") ?? ""}
      />
      <TextField
        name="progressSeconds"
        label="Seconds without a report"
        type="number"
        required
        min={1}
        defaultValue={check?.progressSeconds ?? 600}
      />
      <TextField
        name="totalSeconds"
        label="Seconds until a result"
        type="number"
        required
        min={1}
        defaultValue={check?.totalSeconds ?? 3600}
      />
      <PoolField organization={organization} chosen={check?.via?.id ?? ""} />
      <BoxesField
        name="flags"
        label="Further"
        choices={check?.signed === true ? [COST, UNSIGNED] : [COST]}
        checked={check?.estimatesCost === true ? ["estimatesCost"] : []}
      />
    </>
  );
}

/** The pool whose runners send the requests: a choice where there is a pool that the person sees. */
function PoolField({ organization, chosen }: { organization: string; chosen: string }) {
  const [{ data, fetching }] = useDocument(RunnerPoolNamesDocument, { organization });
  const pools = data?.organization?.runnerPools ?? [];
  if (data === undefined && fetching) return <p className="quiet">Loading…</p>;
  if (pools.length === 0) return <input type="hidden" name="viaPoolId" value={chosen} />;
  return (
    <ChoiceField
      name="viaPoolId"
      label="Sent by"
      choices={[["", "The server"], ...pools.map(({ id, name }) => [id, `Runners of ${visible(name)}`] as const)]}
      defaultValue={chosen}
    />
  );
}

import { CreateRunnerPoolDocument } from "../generated/graphql.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { PoolFields, readPool } from "./pool-fields.tsx";

/** Makes a pool of runners. */
export function NewPool({ organizationId, onDone }: { organizationId: string; onDone: () => void }) {
  return (
    <p>
      <FormCommand
        document={CreateRunnerPoolDocument}
        label="New pool"
        title="New pool of runners"
        submit="Create the pool"
        inputOf={(form) => ({ organizationId, ...readPool(form) })}
        onDone={onDone}
      >
        <PoolFields />
      </FormCommand>
    </p>
  );
}

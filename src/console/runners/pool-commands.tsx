import { CreateRunnerTokenDocument, DeleteRunnerPoolDocument, UpdateRunnerPoolDocument } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { changedOf, textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { TextField } from "../parts/text-field.tsx";
import { PoolFields, readPool, type ShownPool } from "./pool-fields.tsx";

/** The commands about a pool of runners. */
export function PoolCommands({ pool, onChange }: { pool: ShownPool; onChange: () => void }) {
  const { id: poolId, name } = pool;
  return (
    <Commands>
      <FormCommand
        document={CreateRunnerTokenDocument}
        label="Add a runner"
        title={`Add a runner to ${name}`}
        submit="Make a token"
        inputOf={(form) => ({ poolId, name: textOfField(form, "name") })}
        secretOf={({ secret }) => ({
          name: "The token",
          secret,
          usage: `HOLDPOINT_RUNNER_TOKEN=${secret} npm run runner -- --server ${location.origin} --pool ${name}`,
        })}
        onDone={onChange}
        ifDeleted={`${name} was deleted meanwhile, or you may no longer see it.`}
      >
        <p>Runners join the pool with a token. The next page shows the command for the machine.</p>
        <TextField name="name" label="Name of the token" required placeholder="rack 7" />
      </FormCommand>
      <FormCommand
        document={UpdateRunnerPoolDocument}
        label="Change"
        title={`Change the pool ${name}`}
        submit="Change the pool"
        inputOf={(form) => ({ poolId, ...changedOf(form, readPool(form)) })}
        onDone={onChange}
        ifDeleted={`${name} was deleted meanwhile, or you may no longer see it.`}
      >
        <PoolFields pool={pool} />
      </FormCommand>
      <Command
        document={DeleteRunnerPoolDocument}
        input={{ poolId }}
        label="Delete"
        question={{
          title: `Delete the pool ${name}`,
          text: "Its tokens no longer work then. It is refused while workspaces or checks name the pool.",
        }}
        onDone={onChange}
      />
    </Commands>
  );
}

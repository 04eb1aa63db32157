import {
  DeleteRepositoryDocument,
  LookAtRepositoryDocument,
  type RepositoryQuery,
  UpdateRepositoryDocument,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { TextField } from "../parts/text-field.tsx";
import { visible } from "../parts/visible.ts";

interface RepositoryCommandsOf {
  readonly repository: NonNullable<RepositoryQuery["repository"]>;
  readonly onChange: () => void;
  readonly onDeleted: () => void;
}

/** The commands about one repository. */
export function RepositoryCommands({ repository, onChange, onDeleted }: RepositoryCommandsOf) {
  const { id: repositoryId, organization } = repository;
  const name = visible(repository.name);
  const canWrite = organization.viewerPermissions.includes("ORGANIZATION_UPDATE");
  return (
    <Commands>
      {organization.viewerPermissions.includes("WORKSPACE_UPDATE") && (
        <Command document={LookAtRepositoryDocument} input={{ repositoryId }} label="Read it now" onDone={onChange} />
      )}
      {canWrite && (
        <FormCommand
          document={UpdateRepositoryDocument}
          label="Change"
          title={`Change the repository ${name}`}
          submit="Change the repository"
          inputOf={(form) => ({ repositoryId, name: textOfField(form, "name") })}
          onDone={onChange}
          ifDeleted={`${name} was disconnected meanwhile, or you may no longer see it.`}
        >
          <TextField name="name" label="Path at the host" required defaultValue={repository.name} />
        </FormCommand>
      )}
      {canWrite && (
        <Command
          document={DeleteRepositoryDocument}
          input={{ repositoryId }}
          label="Disconnect"
          question={{
            title: `Disconnect the repository ${name}`,
            text: "Its changes start no runs any more. It is refused while a workspace has it as its source.",
          }}
          onDone={onDeleted}
        />
      )}
    </Commands>
  );
}

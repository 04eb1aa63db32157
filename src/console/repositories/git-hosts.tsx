import {
  CreateGitHostDocument,
  DeleteGitHostDocument,
  type GitHostRowFragment,
  RotateHookSecretDocument,
  UpdateGitHostDocument,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { Copy } from "../parts/copy.tsx";
import { checkedOf, textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { ListState } from "../parts/list-state.tsx";
import { Table } from "../parts/table.tsx";
import { BoxesField, TextField } from "../parts/text-field.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { kindOf, readCredential, wordsOfHost } from "./git-host-input.ts";

const GitHostFields = lazyPart(() => import("./git-host-fields.tsx"), "GitHostFields");

interface GitHostsOf {
  readonly organizationId: string;
  readonly gitHosts: readonly GitHostRowFragment[];
  readonly onChange: () => void;
}

/** The hosts of git repositories with their hooks, and the commands about them. */
export function GitHosts({ organizationId, gitHosts, onChange }: GitHostsOf) {
  return (
    <section className="panel" aria-label="Git hosts">
      <h2>Git hosts</h2>
      <Commands>
        <FormCommand
          document={CreateGitHostDocument}
          label="New git host"
          title="New git host"
          submit="Create the git host"
          inputOf={(form) => ({
            organizationId,
            kind: kindOf(textOfField(form, "kind")),
            name: textOfField(form, "name"),
            url: textOfField(form, "url"),
            ...readCredential(form),
          })}
          secretOf={({ hookSecret: secret, gitHost }) =>
            gitHost.hookPath == null ? null : { name: "The secret of its hooks", secret }
          }
          onDone={onChange}
        >
          <GitHostFields />
        </FormCommand>
      </Commands>
      <ListState read={{ fetching: false }} count={gitHosts.length} empty="There is no git host yet." />
      {gitHosts.length > 0 && (
        <Table label="Git hosts" heads={["Git host", "Credential", "Hooks go to", "Commands"]}>
          {gitHosts.map((gitHost) => (
            <tr key={gitHost.id}>
              <td>
                <strong>{visible(gitHost.name)}</strong> <span className="quiet">{wordsOfHost(gitHost.kind)}</span>
                <div className="quiet">{visible(gitHost.url)}</div>
              </td>
              <td>{wordsOf(gitHost.credential)}</td>
              <td>
                <Hooks gitHost={gitHost} />
              </td>
              <td>
                <GitHostCommands gitHost={gitHost} onChange={onChange} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** Where the host sends its hooks, and whether it still signs them with its former secret. */
function Hooks({ gitHost }: { gitHost: GitHostRowFragment }) {
  const { hookPath, hookUrl, formerHookSecretUntil, formerHookSecretUsedAt } = gitHost;
  if (hookPath == null) return <span className="quiet">It sends none.</span>;
  const address = hookUrl ?? location.origin + hookPath;
  return (
    <>
      <code>{address}</code> <Copy text={address} label="Copy" />
      {formerHookSecretUntil != null && (
        <div className="quiet">
          The former secret ends <Ago at={formerHookSecretUntil} />
          {formerHookSecretUsedAt == null ? ", and is not used." : ". It was used "}
          {formerHookSecretUsedAt != null && <Ago at={formerHookSecretUsedAt} />}
        </div>
      )}
    </>
  );
}

function GitHostCommands({ gitHost, onChange }: { gitHost: GitHostRowFragment; onChange: () => void }) {
  const { id: gitHostId, hookPath } = gitHost;
  const name = visible(gitHost.name);
  return (
    <Commands>
      <FormCommand
        document={UpdateGitHostDocument}
        label="Change"
        title={`Change the git host ${name}`}
        submit="Change the git host"
        inputOf={(form) => ({
          gitHostId,
          name: textOfField(form, "name"),
          url: textOfField(form, "url"),
          ...readCredential(form),
        })}
        onDone={onChange}
        ifDeleted={`${name} was deleted meanwhile, or you may no longer see it.`}
      >
        <GitHostFields gitHost={gitHost} />
      </FormCommand>
      {hookPath != null && (
        <FormCommand
          document={RotateHookSecretDocument}
          label="Rotate the secret"
          title={`Rotate the secret of the hooks of ${name}`}
          submit="Rotate the secret"
          inputOf={(form) => ({
            gitHostId,
            hookSecret: textOfField(form, "hookSecret") || null,
            revokeNow: checkedOf(form, "revokeNow").length > 0,
          })}
          secretOf={({ hookSecret: secret }) => ({ name: "The new secret of its hooks", secret })}
          onDone={onChange}
          ifDeleted={`${name} was deleted meanwhile, or you may no longer see it.`}
        >
          <p>Hooks may be signed with either secret for one day.</p>
          <TextField
            name="hookSecret"
            label="Secret"
            type="password"
            hint="One that the host has made. If you leave it empty, one is generated."
          />
          <BoxesField name="revokeNow" label="The old secret" choices={[["yes", "Refuse it at once"]]} />
        </FormCommand>
      )}
      <Command
        document={DeleteGitHostDocument}
        input={{ gitHostId }}
        label="Delete"
        question={{
          title: `Delete the git host ${name}`,
          text: "Its credential and its secret are deleted. It is refused while it has a repository.",
        }}
        onDone={onChange}
      />
    </Commands>
  );
}

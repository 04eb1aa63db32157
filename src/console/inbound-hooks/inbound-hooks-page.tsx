import { Link } from "@tanstack/react-router";
import {
  CreateInboundHookDocument,
  DeleteInboundHookDocument,
  InboundHooksDocument,
  RotateInboundHookSecretDocument,
  UpdateInboundHookDocument,
} from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { Copy } from "../parts/copy.tsx";
import { checkedOf } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { ListState } from "../parts/list-state.tsx";
import { Table } from "../parts/table.tsx";
import { BoxesField } from "../parts/text-field.tsx";
import { Ago } from "../parts/time.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import type { Hook } from "./inbound-hook-fields.tsx";
import { addressOf, readHook, readHookChanges, usageOf } from "./inbound-hook-input.ts";

const InboundHookFields = lazyPart(() => import("./inbound-hook-fields.tsx"), "InboundHookFields");

/** The addresses at which other systems make runs of fixed workspaces. */
export function InboundHooksPage() {
  return (
    <OrganizationPage title="Inbound hooks">
      {({ id, slug }) => <InboundHooksView organizationId={id} organization={slug} />}
    </OrganizationPage>
  );
}

function InboundHooksView({ organizationId, organization }: { organizationId: string; organization: string }) {
  const [read, onChange] = useDocument(InboundHooksDocument, { organization });
  // A delivery is no event of the API.
  useTick(onChange);
  const found = read.data?.organization;
  const hooks = found?.inboundHooks ?? [];
  const canWrite = found?.viewerPermissions.includes("WEBHOOK_WRITE") === true;
  const empty = canWrite ? "There is no inbound hook yet." : "Inbound hooks are shown to those who may change them.";
  return (
    <>
      {canWrite && (
        <Commands>
          <FormCommand
            document={CreateInboundHookDocument}
            label="New inbound hook"
            title="New inbound hook"
            submit="Create the inbound hook"
            inputOf={(form) => ({ organizationId, ...readHook(form) })}
            secretOf={({ secret, inboundHook }) => ({ name: "The secret", secret, usage: usageOf(inboundHook.path) })}
            onDone={onChange}
          >
            <p>Its runs are made under your rights, as they are then.</p>
            <InboundHookFields organization={organization} />
          </FormCommand>
        </Commands>
      )}
      <div className="panel">
        <ListState read={read} count={hooks.length} empty={empty} />
        {hooks.length > 0 && (
          <Table label="Inbound hooks" heads={["Inbound hook", "Workspaces", "Metadata", "Last delivery", "Commands"]}>
            {hooks.map((hook) => (
              <HookRow key={hook.id} hook={hook} organization={organization} onChange={onChange} />
            ))}
          </Table>
        )}
      </div>
    </>
  );
}

interface HookRowOf {
  readonly hook: Hook;
  readonly organization: string;
  readonly onChange: () => void;
}

function HookRow({ hook, organization, onChange }: HookRowOf) {
  const { name, kind, path, owner, workspaces, mapping, lastAt, lastProblem } = hook;
  return (
    <tr>
      <td>
        <strong>{visible(name)}</strong>{" "}
        <span className="quiet">
          {wordsOf(kind)}, by {visible(owner.name)}
        </span>
        <div>
          <code>{path}</code> <Copy text={addressOf(path)} label="Copy the address" />
        </div>
      </td>
      <td>
        {workspaces.map((workspace, at) => (
          <span key={workspace.id}>
            {at > 0 && ", "}
            <Link to="/o/$organization/w/$workspace" params={{ organization, workspace: workspace.name }}>
              {workspace.name}
            </Link>
          </span>
        ))}
      </td>
      <td>
        {mapping.map(({ key, pointer }) => (
          <div key={key}>
            {visible(key)} = <code>{visible(pointer)}</code>
          </div>
        ))}
        {mapping.length === 0 && <span className="quiet">none</span>}
      </td>
      <td>
        {lastAt == null ? <span className="quiet">none yet</span> : <Ago at={lastAt} />}
        {lastProblem != null && <div className="problem">{visible(lastProblem)}</div>}
      </td>
      <td>
        <HookCommands hook={hook} organization={organization} onChange={onChange} />
      </td>
    </tr>
  );
}

function HookCommands({ hook, organization, onChange }: HookRowOf) {
  const { id: hookId } = hook;
  const name = visible(hook.name);
  return (
    <Commands>
      <FormCommand
        document={UpdateInboundHookDocument}
        label="Change"
        title={`Change the inbound hook ${name}`}
        submit="Change the inbound hook"
        inputOf={(form) => ({ hookId, ...readHookChanges(form) })}
        onDone={onChange}
        ifDeleted={`${name} was deleted meanwhile, or you may no longer see it.`}
      >
        <p>Its address and its secret stay. From then on its runs are made under your rights.</p>
        <InboundHookFields organization={organization} hook={hook} />
      </FormCommand>
      <FormCommand
        document={RotateInboundHookSecretDocument}
        label="Rotate the secret"
        title={`Rotate the secret of ${name}`}
        submit="Rotate the secret"
        inputOf={(form) => ({ hookId, revokeNow: checkedOf(form, "revokeNow").length > 0 })}
        secretOf={({ secret }) => ({ name: "The new secret", secret })}
        onDone={onChange}
        ifDeleted={`${name} was deleted meanwhile, or you may no longer see it.`}
      >
        <p>Both secrets are good for one day.</p>
        <BoxesField name="revokeNow" label="The old secret" choices={[["yes", "It ends at once"]]} />
      </FormCommand>
      <Command
        document={DeleteInboundHookDocument}
        input={{ hookId }}
        label="Delete"
        question={{
          title: `Delete the inbound hook ${name}`,
          text: "Its address is refused from now on. Its runs stay.",
        }}
        onDone={onChange}
      />
    </Commands>
  );
}

import {
  type AccountQuery,
  CreateTokenDocument,
  RevokeTokenDocument,
  RotateTokenDocument,
} from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { checkedOf, endOfDay, textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { ListState } from "../parts/list-state.tsx";
import { isPermission, PERMISSIONS } from "../parts/permissions.ts";
import { Table } from "../parts/table.tsx";
import { BoxesField, ChoiceField, TextField } from "../parts/text-field.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

type Owner = AccountQuery["viewer"]["actor"];
type Token = AccountQuery["viewer"]["tokens"][number];

interface TokensOf {
  readonly owner: Owner;
  readonly tokens: readonly Token[];
  readonly onChange: () => void;
}

/** The tokens of the person, newest first. */
export function Tokens({ owner, tokens, onChange }: TokensOf) {
  return (
    <section className="panel" aria-label="Tokens">
      <h2>Tokens</h2>
      <Commands>
        <NewToken owner={owner} onDone={onChange} />
      </Commands>
      <ListState read={{ fetching: false }} count={tokens.length} empty="You have no token." />
      {tokens.length > 0 && (
        <Table label="Tokens" heads={["Name", "Role", "Last used", "Ends", "Commands"]}>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onChange={onChange} />
          ))}
        </Table>
      )}
    </section>
  );
}

/** Makes a token with the rights of the person, or with fewer. */
function NewToken({ owner, onDone }: { owner: Owner; onDone: () => void }) {
  return (
    <FormCommand
      document={CreateTokenDocument}
      label="New token"
      title={`New token of ${visible(owner.name)}`}
      submit="Create the token"
      inputOf={(form) => {
        const permissions = checkedOf(form, "permissions").filter(isPermission);
        const networks = textOfField(form, "networks")
          .split(/[\s,]+/)
          .filter(Boolean);
        return {
          ownerId: owner.id,
          name: textOfField(form, "name"),
          expiresAt: endOfDay(textOfField(form, "expiresAt")),
          ...(permissions.length > 0 && { permissions }),
          ...(networks.length > 0 && { networks }),
        };
      }}
      secretOf={({ secret }) => ({ name: "The token", secret })}
      onDone={onDone}
    >
      <p>It has the rights that you have, and loses those that you lose.</p>
      <TextField name="name" label="Name" required placeholder="laptop" />
      <TextField name="expiresAt" label="Last day" type="date" hint="90 days from now, if you leave it empty" />
      <TextField name="networks" label="Networks" placeholder="10.0.0.0/8" hint="Any, if you leave it empty" />
      <details>
        <summary>Only some permissions</summary>
        <BoxesField
          name="permissions"
          label="Permissions; none of them: all that you have"
          choices={PERMISSIONS.map((permission) => [permission, wordsOf(permission)] as const)}
        />
      </details>
    </FormCommand>
  );
}

function TokenRow({ token, onChange }: { token: Token; onChange: () => void }) {
  const { id, role, createdAt, rotatedAt, expiresAt, idleEndsAt, lastUsedAt, lastUsedFrom } = token;
  const name = visible(token.name);
  return (
    <tr>
      <td>
        <strong>{name}</strong>{" "}
        <span className="quiet">
          made <Ago at={createdAt} />
          {rotatedAt != null && (
            <>
              , rotated <Ago at={rotatedAt} />
            </>
          )}
        </span>
      </td>
      <td>
        {wordsOf(role)}
        {token.permissions != null && <span className="quiet"> only {token.permissions.map(wordsOf).join(", ")}</span>}
        {token.networks.length > 0 && <span className="quiet"> from {token.networks.join(", ")}</span>}
      </td>
      <td>
        {lastUsedAt == null ? "never used" : <Ago at={lastUsedAt} />}
        {lastUsedFrom != null && <span className="quiet"> from {lastUsedFrom}</span>}
      </td>
      <td>
        {expiresAt == null ? "never ends" : <Ago at={expiresAt} />}
        {idleEndsAt != null && idleEndsAt !== expiresAt && (
          <span className="quiet">
            {" "}
            unused: <Ago at={idleEndsAt} />
          </span>
        )}
      </td>
      <td>
        {expiresAt != null && (
          <Commands>
            <RotateToken id={id} name={name} onDone={onChange} />
            <Command
              document={RevokeTokenDocument}
              input={{ tokenId: id }}
              label="Revoke"
              question={{
                title: `Revoke the token ${name}`,
                text: "Requests with it are refused from now on, and the sessions that it opened end.",
              }}
              onDone={onChange}
            />
          </Commands>
        )}
      </td>
    </tr>
  );
}

function RotateToken({ id, name, onDone }: { id: string; name: string; onDone: () => void }) {
  return (
    <FormCommand
      document={RotateTokenDocument}
      label="Rotate"
      title={`Rotate the token ${name}`}
      submit="Rotate the token"
      inputOf={(form) => ({ tokenId: id, overlapHours: Number(textOfField(form, "overlapHours")) })}
      secretOf={({ secret }) => ({ name: "The new secret of the token", secret })}
      onDone={onDone}
    >
      <p>The token gets another secret. Its name, its rights and its end stay.</p>
      <ChoiceField
        name="overlapHours"
        label="The former secret is good for"
        defaultValue="24"
        choices={[
          ["0", "no longer"],
          ["1", "an hour"],
          ["24", "a day"],
          ["168", "a week"],
        ]}
      />
    </FormCommand>
  );
}

import { RevokeTokenDocument, RotateTokenDocument, type TokenRowFragment } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { Table } from "../parts/table.tsx";
import { ChoiceField } from "../parts/text-field.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

interface TokenTableOf {
  readonly label: string;
  readonly tokens: readonly TokenRowFragment[];
  readonly onChange: () => void;
}

/** Tokens with their use and their end, and the commands about each. */
export function TokenTable({ label, tokens, onChange }: TokenTableOf) {
  return (
    <Table label={label} heads={["Name", "Role", "Last used", "Ends", "Commands"]}>
      {tokens.map((token) => (
        <TokenItem key={token.id} token={token} onChange={onChange} />
      ))}
    </Table>
  );
}

function TokenItem({ token, onChange }: { token: TokenRowFragment; onChange: () => void }) {
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
      ifDeleted={`${name} was revoked meanwhile, or has ended.`}
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

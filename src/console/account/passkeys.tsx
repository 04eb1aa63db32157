import { type AccountQuery, DeletePasskeyDocument } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";

interface PasskeysOf {
  readonly passkeys: AccountQuery["viewer"]["passkeys"];
  readonly onChange: () => void;
}

/** The passkeys of the person; nothing where there are none. */
export function Passkeys({ passkeys, onChange }: PasskeysOf) {
  if (passkeys.length === 0) return null;
  return (
    <section className="panel" aria-label="Passkeys">
      <h2>Passkeys</h2>
      <Table label="Passkeys" heads={["Name", "Made", "Last used", "Commands"]}>
        {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
          <tr key={id}>
            <td>{visible(name)}</td>
            <td>
              <Ago at={createdAt} />
            </td>
            <td>{lastUsedAt == null ? "never used" : <Ago at={lastUsedAt} />}</td>
            <td>
              <Command
                document={DeletePasskeyDocument}
                input={{ passkeyId: id }}
                label="Delete"
                question={{
                  title: `Delete the passkey ${visible(name)}`,
                  text: "You cannot sign in with it any more.",
                }}
                onDone={onChange}
              />
            </td>
          </tr>
        ))}
      </Table>
      <p>
        <a href="/auth/passkey">Make another one</a>
      </p>
    </section>
  );
}

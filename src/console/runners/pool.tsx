import { RevokeRunnerTokenDocument, type RunnerRowFragment } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { PoolCommands } from "./pool-commands.tsx";
import type { ShownPool } from "./pool-fields.tsx";
import { RunnerTable } from "./runner-table.tsx";

interface PoolOf {
  readonly pool: ShownPool;
  readonly runners: readonly RunnerRowFragment[];
  readonly canCommand: boolean;
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

/** A pool with its runners, and with the tokens by which runners join it. */
export function Pool({ pool, runners, canCommand, canWrite, onChange }: PoolOf) {
  const { name, description, reserved, driftCheckLimit, tokens } = pool;
  return (
    <section className="panel" aria-label={`Pool ${name}`}>
      <h2>
        {name} <span className="quiet">{reserved ? "reserved" : "for all workspaces"}</span>
      </h2>
      {description != null && <p>{visible(description)}</p>}
      <p>{countsOf(runners)}</p>
      {driftCheckLimit != null && <p>Checks for drift at once: {driftCheckLimit}</p>}
      {runners.length > 0 && (
        <RunnerTable label={`Runners of ${name}`} runners={runners} canCommand={canCommand} onChange={onChange} />
      )}
      {canWrite && <PoolCommands pool={pool} onChange={onChange} />}
      {tokens.length > 0 && (
        <details>
          <summary>Tokens to join with: {tokens.length}</summary>
          <Table label={`Tokens of ${name}`} heads={["Name", "Made", "Last used", "Ends", "Commands"]}>
            {tokens.map((token) => (
              <tr key={token.id}>
                <td>{visible(token.name)}</td>
                <td>
                  <Ago at={token.createdAt} /> by {visible(token.createdBy.name)}
                </td>
                <td>{token.lastUsedAt == null ? "never used" : <Ago at={token.lastUsedAt} />}</td>
                <td>{token.expiresAt == null ? "never" : <Ago at={token.expiresAt} />}</td>
                <td>
                  <Command
                    document={RevokeRunnerTokenDocument}
                    input={{ tokenId: token.id }}
                    label="Revoke"
                    question={{
                      title: `Revoke the token ${visible(token.name)} of ${name}`,
                      text: "Runners that joined with it can send nothing more. Their jobs are lost.",
                    }}
                    onDone={onChange}
                  />
                </td>
              </tr>
            ))}
          </Table>
        </details>
      )}
    </section>
  );
}

/** Counts the runners by their state; those that are gone for good are left out. */
function countsOf(runners: readonly RunnerRowFragment[]): string {
  const here = runners.filter(({ revokedAt }) => revokedAt == null);
  if (here.length === 0) return "No runner has joined yet.";
  const states = new Set(here.map(({ state }) => state));
  return [...states]
    .toSorted()
    .map((state) => `${here.filter((runner) => runner.state === state).length} ${wordsOf(state)}`)
    .join(" · ");
}

import type { AccountQuery } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { ListState } from "../parts/list-state.tsx";
import { NewToken } from "./new-token.tsx";
import { TokenTable } from "./token-table.tsx";

interface TokensOf {
  readonly owner: AccountQuery["viewer"]["actor"];
  readonly tokens: AccountQuery["viewer"]["tokens"];
  readonly onChange: () => void;
}

/** The tokens of the person, newest first. */
export function Tokens({ owner, tokens, onChange }: TokensOf) {
  return (
    <section className="panel" aria-label="Tokens">
      <h2>Tokens</h2>
      <Commands>
        <NewToken
          owner={owner}
          label="New token"
          rights="It has the rights that you have, and loses those that you lose."
          onDone={onChange}
        />
      </Commands>
      <ListState read={{ fetching: false }} count={tokens.length} empty="You have no token." />
      {tokens.length > 0 && <TokenTable label="Tokens" tokens={tokens} onChange={onChange} />}
    </section>
  );
}

import { PageTitle } from "../inbox/page-title.tsx";
import { AccountDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { ListState } from "../parts/list-state.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { Passkeys } from "./passkeys.tsx";
import { Sessions } from "./sessions.tsx";
import { Tokens } from "./tokens.tsx";

/** The account of the person: its tokens, its sessions and its passkeys. */
export function AccountPage() {
  const [read, onChange] = useDocument(AccountDocument, {});
  useTick(onChange);
  const viewer = read.data?.viewer;
  return (
    <>
      <PageTitle>Account</PageTitle>
      <h1>
        {viewer === undefined ? "Account" : visible(viewer.actor.name)}{" "}
        {viewer !== undefined && <span className="quiet">{wordsOf(viewer.role)} of the installation</span>}
      </h1>
      <ListState read={read} count={viewer === undefined ? 0 : 1} empty="" />
      {viewer !== undefined && (
        <>
          <Tokens owner={viewer.actor} tokens={viewer.tokens} onChange={onChange} />
          <Sessions owner={viewer.actor} sessions={viewer.sessions} onChange={onChange} />
          <Passkeys passkeys={viewer.passkeys} onChange={onChange} />
        </>
      )}
    </>
  );
}

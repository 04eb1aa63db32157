import { type AccountQuery, RevokeSessionDocument, RevokeSessionsDocument } from "../generated/graphql.ts";
import { Command } from "../parts/command.tsx";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { browserOf } from "./browser.ts";

interface SessionsOf {
  readonly owner: AccountQuery["viewer"]["actor"];
  readonly sessions: AccountQuery["viewer"]["sessions"];
  readonly onChange: () => void;
}

const toLogin = (): void => location.assign("/login");

/** The browsers in which the person is signed in, newest first. */
export function Sessions({ owner, sessions, onChange }: SessionsOf) {
  return (
    <section className="panel" aria-label="Sessions">
      <h2>Sessions</h2>
      <Table label="Sessions" heads={["Browser", "Signed in", "Last request", "Ends", "Commands"]}>
        {sessions.map((session) => (
          <tr key={session.id}>
            <td>
              {session.current && <strong>this one </strong>}
              {visible(browserOf(session.userAgent))}
              {session.address != null && <span className="quiet"> {session.address}</span>}
            </td>
            <td>
              <Ago at={session.createdAt} /> <span className="quiet">by {wordsOf(session.method)}</span>
            </td>
            <td>
              <Ago at={session.lastSeenAt} />
            </td>
            <td>
              <Ago at={session.expiresAt} />
            </td>
            <td>
              <Command
                document={RevokeSessionDocument}
                input={{ sessionId: session.id }}
                label="End"
                question={{
                  title: session.current
                    ? "End this session"
                    : `End the session of ${visible(browserOf(session.userAgent))}`,
                  text: session.current ? "You are signed out here." : "Its pages show the sign-in from now on.",
                }}
                onDone={session.current ? toLogin : onChange}
              />
            </td>
          </tr>
        ))}
      </Table>
      {sessions.length > 1 && (
        <p>
          <Command
            document={RevokeSessionsDocument}
            input={{ userId: owner.id }}
            label="End all"
            question={{ title: `End all sessions of ${visible(owner.name)}`, text: "You are signed out here as well." }}
            onDone={toLogin}
          />
        </p>
      )}
    </section>
  );
}

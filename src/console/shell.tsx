import { Link, Outlet } from "@tanstack/react-router";
import { useMemo } from "react";
import { MissedNotice } from "./frame/missed-notice.tsx";
import { ReleaseNotice } from "./frame/release-notice.tsx";
import { ThemeChoice } from "./frame/theme-choice.tsx";
import { Tools } from "./frame/tools.tsx";
import { OrganizationRunsDocument, ViewerDocument } from "./generated/graphql.ts";
import { Asked } from "./inbox/asked.tsx";
import { noteMissed } from "./live/absence.ts";
import { useDocument, useStream } from "./live/documents.ts";
import { Freshness } from "./live/freshness.tsx";
import { OrganizationNav } from "./organization/organization-nav.tsx";
import { DialogHost } from "./parts/dialog-host.tsx";
import { visible } from "./parts/visible.ts";
import { SignOut } from "./session/sign-out.tsx";
import { SessionContext } from "./session/viewer.tsx";
import styles from "./shell.module.css";

/** Leads to the sign-in, and back to this page afterwards. */
function toLogin(): void {
  location.assign(`/login?return=${encodeURIComponent(location.pathname + location.search + location.hash)}`);
}

/** Follows an organization on every page, so that a page knows whether it is up to date. Pages share the stream. */
function OrganizationWatch({ organizationId }: { organizationId: string }) {
  useStream(
    OrganizationRunsDocument,
    { organizationId },
    { onItem: ({ organizationEvents: item }) => noteMissed(item) },
  );
  return null;
}

/** The frame of all pages behind the sign-in. */
export function Shell() {
  const [{ data, error }] = useDocument(ViewerDocument, {});
  const session = useMemo(
    () =>
      data === undefined
        ? null
        : { actor: data.viewer.actor, organizations: data.organizations.edges.map(({ node }) => node) },
    [data],
  );
  const isSignedOut = error?.response?.status === 401;
  if (isSignedOut) toLogin();
  if (session === null) {
    const text = error === undefined || isSignedOut ? "Loading…" : `The server does not answer: ${error.message}`;
    return <p className={styles["loading"]}>{text}</p>;
  }
  return (
    <SessionContext value={session}>
      <header className={styles["header"]}>
        <Link to="/" className={styles["brand"]}>
          Holdpoint
        </Link>
        <nav aria-label="Pages">
          <Asked />
          {session.organizations.map(({ id, slug, name }) => (
            <Link key={id} to="/o/$organization" params={{ organization: slug }}>
              {visible(name)}
            </Link>
          ))}
          <a href="/graphql">GraphiQL</a>
        </nav>
        <Freshness />
        <Tools />
        <ThemeChoice />
        <Link to="/me">{visible(session.actor.name)}</Link>
        <SignOut />
      </header>
      <ReleaseNotice />
      <MissedNotice />
      {session.organizations.map(({ id }) => (
        <OrganizationWatch key={id} organizationId={id} />
      ))}
      <OrganizationNav />
      <DialogHost>
        <main className={styles["main"]}>
          <Outlet />
        </main>
      </DialogHost>
    </SessionContext>
  );
}

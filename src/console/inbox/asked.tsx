import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { AskedDocument, InboxChangesDocument } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { showBadge } from "./badge.ts";
import { inboxChanges } from "./inbox-changes.ts";
import { notifyOf } from "./notify.ts";
import { useInboxReload } from "./use-inbox-reload.ts";

/** The link to the inbox, with the number of runs that wait for the viewer: in the page, on the icon, in notifications. */
export function Asked() {
  const [{ data }, reload] = useDocument(AskedDocument, {});
  useInboxReload(reload);
  useStream(InboxChangesDocument, {}, { onItem: ({ inboxEvents: item }) => inboxChanges.note(item) });
  const count = data?.viewer.inboxCount ?? 0;
  const items = data?.viewer.inbox.edges;
  useEffect(() => showBadge(count), [count]);
  useEffect(() => {
    if (items === undefined) return;
    notifyOf({ items: items.map(({ node }) => node), count });
  }, [items, count]);
  return <Link to="/inbox">{count > 0 ? `Inbox ${count}` : "Inbox"}</Link>;
}

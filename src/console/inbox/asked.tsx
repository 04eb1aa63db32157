import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { AskedDocument, InboxChangesDocument } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { setAskedCount } from "./asked-count.ts";
import { showBadge } from "./badge.ts";
import { noteInboxItem } from "./inbox-cursor.ts";
import { notifyOf } from "./notify.ts";
import { useInboxReload } from "./use-inbox-reload.ts";

/** The link to the inbox, with the number of runs that wait for the viewer: in the page, on the icon, in notifications. */
export function Asked() {
  const [{ data, error }, reload] = useDocument(AskedDocument, {});
  useInboxReload(error === undefined ? data?.viewer.whole.streamCursor : null, reload);
  useStream(InboxChangesDocument, {}, { onItem: ({ inboxEvents: item }) => noteInboxItem(item) });
  const count = data?.viewer.inboxCount ?? 0;
  const inbox = data?.viewer.inbox;
  useEffect(() => {
    showBadge(count);
    setAskedCount(count);
  }, [count]);
  useEffect(() => {
    if (inbox === undefined) return;
    notifyOf({ items: inbox.edges.map(({ node }) => node), count, isCut: inbox.pageInfo.hasNextPage });
  }, [inbox, count]);
  return <Link to="/inbox">{count > 0 ? `Inbox ${count}` : "Inbox"}</Link>;
}

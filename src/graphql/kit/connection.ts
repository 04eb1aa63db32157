import type { Page } from "../../model/kit/page.ts";
import { builder } from "./builder.ts";
import { type CursorWriter, cursorWriter } from "./cursor.ts";

/** An item of a page with its position, which is encoded as a cursor only if the cursor is selected. */
export interface Edge<Item> {
  node: Item;
  position: string | number;
  toCursor: CursorWriter;
}

export interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

/** A page of a list in the form of Relay's specification. */
export interface Connection<Item> {
  edges: Edge<Item>[];
  pageInfo: PageInfo;
}

/** Adds to each item of a page its position in the list. */
export function toConnection<Item>(
  list: string,
  page: Page<Item>,
  positionOf: (item: Item) => string | number,
): Connection<Item> {
  const toCursor = cursorWriter(list);
  const cursorOf = (node: Item | undefined): string | null => (node === undefined ? null : toCursor(positionOf(node)));
  return {
    edges: page.items.map((node) => ({ node, position: positionOf(node), toCursor })),
    pageInfo: {
      hasNextPage: page.hasNextPage,
      hasPreviousPage: page.hasPreviousPage,
      startCursor: cursorOf(page.items[0]),
      endCursor: cursorOf(page.items.at(-1)),
    },
  };
}

export const PageInfoRef = builder.objectRef<PageInfo>("PageInfo").implement({
  description: "The position of a page in its list.",
  fields: (t) => ({
    hasNextPage: t.exposeBoolean("hasNextPage", { description: "Whether items follow the last one of this page." }),
    hasPreviousPage: t.exposeBoolean("hasPreviousPage", {
      description: "Whether items come before the first one of this page.",
    }),
    startCursor: t.exposeString("startCursor", {
      nullable: true,
      description:
        "The cursor of the first item, to pass as `before` for the previous page. `null` if the page is empty.",
    }),
    endCursor: t.exposeString("endCursor", {
      nullable: true,
      description: "The cursor of the last item, to pass as `after` for the next page. `null` if the page is empty.",
    }),
  }),
});

/** The edge type of a list; its file adds the field `node`. */
export function edgeRef<Item>(name: string, what: string) {
  return builder.objectRef<Edge<Item>>(`${name}Edge`).implement({
    description: `One ${what} in a list, with its position.`,
    fields: (t) => ({
      cursor: t.string({
        description: "The position of the item in the list, to continue from.",
        resolve: ({ toCursor, position }) => toCursor(position),
      }),
    }),
  });
}

/** The connection type of a list; its file adds the field `edges`. */
export function connectionRef<Item, More = unknown>(name: string, description: string) {
  return builder.objectRef<Connection<Item> & More>(`${name}Connection`).implement({
    description,
    fields: (t) => ({
      pageInfo: t.field({
        type: PageInfoRef,
        description: "Whether there are more pages, and their cursors.",
        resolve: (connection) => connection.pageInfo,
      }),
    }),
  });
}

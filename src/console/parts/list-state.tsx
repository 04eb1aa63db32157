import { visible } from "./visible.ts";

interface Read {
  readonly error?: { readonly message: string } | undefined;
  readonly fetching: boolean;
}

/** The library puts the origin of a failure before its text. */
const ORIGIN = /^\[(?:GraphQL|Network)\] /gm;

/** The state of a list that shows no rows: it is read, it is empty, or it could not be read. */
export function ListState({ read, count, empty }: { read: Read; count: number; empty: string }) {
  return (
    <>
      {read.error !== undefined && (
        <p role="alert" className="problem">
          {visible(read.error.message.replaceAll(ORIGIN, ""))}
        </p>
      )}
      {count === 0 && read.error === undefined && <p className="quiet">{read.fetching ? "Loading…" : empty}</p>}
    </>
  );
}

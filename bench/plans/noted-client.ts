import { Client, type QueryConfig } from "pg";

/** A statement as it was sent. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A client for `openDatabase` that notes what has parameters and is sent through it for the first time. */
export function notingClient(note: (sent: Sent) => void): typeof Client {
  return class extends Client {
    // oxlint-disable-next-line typescript/no-explicit-any -- it has many overloads, and all of them begin with this
    override query(...given: [statement: string | QueryConfig, ...rest: any[]]): any {
      const [statement] = given;
      // What is prepared already is sent without its text.
      if (typeof statement !== "string" && statement.text !== undefined) {
        note({ text: statement.text, values: statement.values ?? [] });
      }
      return super.query(...given);
    }
  };
}

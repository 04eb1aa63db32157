import type { Run } from "../../model/run/run.ts";
import { builder } from "../kit/builder.ts";
import { RunRef } from "../kit/refs.ts";

/** Builds the success type of a command on a run, with the run after the command. */
export function runSuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name; run: Run }>(name).implement({
    description,
    fields: (t) => ({
      run: t.field({ type: RunRef, description: "The run as it is now.", resolve: ({ run }) => run }),
    }),
  });
}

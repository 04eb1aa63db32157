import type { ObjectRef } from "@pothos/core";
import type { RunCause } from "../../model/run/run-cause.ts";
import { builder, type Types } from "../kit/builder.ts";
import { RunRef } from "../kit/refs.ts";
import { wholeRunField } from "./whole-run.ts";

/** A kind of cause, by the word of the model. */
type CauseOf<Type extends RunCause["type"]> = Extract<RunCause, { type: Type }>;

/** The types of the members, which their files add. */
const members: ObjectRef<Types, RunCause>[] = [];
const names = new Map<RunCause["type"], string>();

const RunCauseRef = builder.unionType("RunCause", {
  description: "The cause of a run that neither a person nor a machine user requested.",
  types: () => members,
  resolveType: ({ type }: RunCause) => names.get(type),
});

/** Declares the type of a kind of cause, which becomes a member of the union. Its file calls it when it is loaded. */
export function runCauseRef<Type extends RunCause["type"]>(type: Type, name: string) {
  const ref = builder.objectRef<CauseOf<Type>>(name);
  names.set(type, name);
  members.push(ref);
  return ref;
}

builder.objectField(RunRef, "cause", (t) =>
  t.field({
    type: RunCauseRef,
    nullable: true,
    description: "The cause of the run. `null` if a person or a machine user requested it.",
    ...wholeRunField(({ cause }) => cause),
  }),
);

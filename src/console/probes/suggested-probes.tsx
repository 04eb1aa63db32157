import { useRef, useState } from "react";
import type {
  ProbeInput,
  SuggestedProbeItemFragment,
  UpdateWorkspaceInput,
  UpdateWorkspaceMutation,
} from "../generated/graphql.ts";
import { AddEntry, type EntryList } from "../parts/entry-commands.tsx";
import { visible } from "../parts/visible.ts";
import { suggestedInputOf } from "./probe-input.ts";
import { PROBE_KINDS } from "./probe-kinds.ts";

/** The probes of a workspace as the list that the API sets as a whole. */
export type ProbeList = EntryList<UpdateWorkspaceMutation, UpdateWorkspaceInput, ProbeInput>;

interface SuggestedProbesOf {
  readonly suggested: readonly SuggestedProbeItemFragment[];
  readonly list: ProbeList;
}

/** Probes that fit what a workspace deploys, each with a button that adds it. */
export function SuggestedProbes({ suggested, list }: SuggestedProbesOf) {
  const result = useRef<HTMLOutputElement>(null);
  const [added, setAdded] = useState<string | null>(null);
  const listFor = (name: string): ProbeList => ({
    ...list,
    onDone: () => {
      list.onDone();
      setAdded(name);
      // The button goes with its suggestion: a keyboard continues here.
      result.current?.focus();
    },
  });
  return (
    <>
      {suggested.length > 0 && (
        <>
          <p id="suggested-probes">
            These fit what the workspace deploys. One that is added fails no run unless it is made required.
          </p>
          <ul aria-labelledby="suggested-probes">
            {suggested.map((probe) => (
              <li key={probe.target}>
                {PROBE_KINDS[probe.kind]}: {visible(probe.target)}.{" "}
                <span className="quiet">{visible(probe.reason)}</span>{" "}
                <AddEntry list={listFor(probe.name)} entry={suggestedInputOf(probe)} />
              </li>
            ))}
          </ul>
        </>
      )}
      <output ref={result} tabIndex={-1} className="quiet">
        {added !== null && `The probe ${visible(added)} was added.`}
      </output>
    </>
  );
}

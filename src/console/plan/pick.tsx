import { createContext, useContext } from "react";
import { visible } from "../parts/visible.ts";
import type { DescribedChange } from "./pattern.ts";

/** The changes of a plan that a person has picked for a new one, by their addresses. */
export interface PickedChanges {
  readonly picked: ReadonlySet<string>;
  readonly set: (addresses: readonly string[], isPicked: boolean) => void;
}

/** `null`: the run takes no new plan from the viewer, so nothing can be picked. */
export const PickContext = createContext<PickedChanges | null>(null);

/** A box that picks one change, or all changes of a pattern. */
export function Pick({ changes, label }: { changes: readonly DescribedChange[]; label: string }) {
  const picks = useContext(PickContext);
  if (picks === null) return null;
  const addresses = changes.map(({ change }) => change.address);
  const count = addresses.filter((address) => picks.picked.has(address)).length;
  const isPicked = count > 0 && count === addresses.length;
  return (
    <input
      type="checkbox"
      data-box="pick"
      aria-label={`Pick ${visible(label)}`}
      checked={isPicked}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && !isPicked;
      }}
      onChange={() => picks.set(addresses, !isPicked)}
    />
  );
}

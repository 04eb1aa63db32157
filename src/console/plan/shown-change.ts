import { createContext, type MouseEvent, type RefObject, useContext, useEffect, useRef } from "react";

/** The change of a plan that the address of the page names. */
export interface ShownChange {
  /** `null` if the page names none. */
  readonly address: string | null;
  /** Puts a change into the address of the page. */
  readonly show: (address: string) => void;
}

export const ShownChangeContext = createContext<ShownChange>({ address: null, show: () => undefined });

/** Opens details, with those around them, and brings them into sight when the page begins to name them. A part that is shown again stays as it is. */
export function useShown(isShown: boolean): RefObject<HTMLDetailsElement | null> {
  const details = useRef<HTMLDetailsElement>(null);
  const wasShown = useRef(false);
  useEffect(() => {
    if (isShown && !wasShown.current) {
      for (let at = details.current; at !== null; at = at.parentElement?.closest("details") ?? null) at.open = true;
      details.current?.scrollIntoView({ block: "nearest" });
    }
    wasShown.current = isShown;
  }, [isShown]);
  return details;
}

/** Gives what a summary does when a person presses it: a change that is opened is named by the page. */
export function useShowOnOpen(): (event: MouseEvent<HTMLElement>, address: string) => void {
  const { show } = useContext(ShownChangeContext);
  return (event, address) => {
    const details = event.currentTarget.closest("details");
    if (details === null || details.open) return;
    // The page may open what it names before the browser toggles it, which would close it again.
    event.preventDefault();
    details.open = true;
    show(address);
  };
}

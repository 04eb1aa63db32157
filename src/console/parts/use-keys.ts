import { useEffect, useEffectEvent } from "react";

/** Calls back with each key that is pressed on the page, as long as the part is drawn. */
export function useKeys(onKey: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onKey);
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}

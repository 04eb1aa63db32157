import { useEffect, useRef } from "react";

/** Reads again when a value is another one than it was. */
export function useRereadOn(value: unknown, read: () => void): void {
  const known = useRef(value);
  useEffect(() => {
    if (known.current !== value) read();
    known.current = value;
  }, [value, read]);
}

import { useState } from "react";
import { useKeys } from "../parts/use-keys.ts";
import { type LineRange, writeLineRange } from "./line-range.ts";

/** Copies the address of lines of this log, by a button or `y`. */
export function LineLink({ range }: { range: LineRange }) {
  const [result, setResult] = useState<string | null>(null);
  const copy = (): void => {
    const address = new URL(location.href);
    // Without it the same address opens another part once the run has a plan.
    address.searchParams.set("tab", "log");
    address.hash = writeLineRange(range);
    navigator.clipboard.writeText(address.href).then(
      () => setResult(`${address.hash.slice(1)} copied as a link`),
      () => setResult("not copied: the browser forbids it"),
    );
  };
  useKeys((event) => {
    if (event.key === "y") copy();
  });
  return (
    <>
      <button type="button" aria-keyshortcuts="y" onClick={copy}>
        Copy link
      </button>
      <output className="quiet">{result}</output>
    </>
  );
}

import { useState } from "react";

/** A button that copies a text, and reports whether it could. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [result, setResult] = useState<"copied" | "not copied: the browser forbids it" | null>(null);
  return (
    <>
      <button
        type="button"
        onClick={() => {
          navigator.clipboard.writeText(text).then(
            () => setResult("copied"),
            () => setResult("not copied: the browser forbids it"),
          );
        }}
      >
        {label}
      </button>
      <output className="quiet">{result}</output>
    </>
  );
}

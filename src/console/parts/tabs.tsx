import { Activity, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from "react";
import styles from "./tabs.module.css";
import { useKeys } from "./use-keys.ts";

interface TabsProps<Name extends string> {
  /** The accessible name of the list of tabs. */
  readonly label: string;
  /** The tabs in their order, each with the key that opens it. */
  readonly keys: Readonly<Record<Name, string>>;
  readonly names: readonly Name[];
  readonly current: Name;
  readonly onOpen: (name: Name) => void;
  /** Gives the part behind a tab. */
  readonly children: (name: Name) => ReactNode;
}

/**
 * Tabs that keep their parts: one that was opened stays in the page while another is shown, with its fields and its place. A hidden
 * part has no effects, so it follows no stream and takes no keys.
 */
export function Tabs<Name extends string>({ label, keys, names, current, onOpen, children }: TabsProps<Name>) {
  const [opened, setOpened] = useState<readonly Name[]>([current]);
  if (!opened.includes(current)) setOpened([...opened, current]);
  const leave = useScrollOf(current);
  const open = (name: Name): void => {
    leave();
    onOpen(name);
  };
  const openByKey = (name: Name): void => {
    open(name);
    // The element with the focus may be in the part that is hidden.
    document.getElementById(`tab-${name}`)?.focus({ preventScroll: true });
  };
  useKeys((event) => {
    const asked = names.find((name) => keys[name] === event.key);
    if (asked === undefined) return;
    event.preventDefault();
    openByKey(asked);
  });
  return (
    <>
      <div role="tablist" aria-label={label} className={styles["tabs"]}>
        {names.map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === current}
            aria-controls={opened.includes(name) ? `panel-${name}` : undefined}
            aria-keyshortcuts={keys[name]}
            tabIndex={name === current ? 0 : -1}
            onClick={() => open(name)}
            onKeyDown={({ key }) => {
              const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? names.length - 1 : 0;
              const next = names[(names.indexOf(name) + step) % names.length];
              if (step !== 0 && next !== undefined) openByKey(next);
            }}
          >
            {name}
          </button>
        ))}
      </div>
      {opened.map((name) => (
        <Activity key={name} mode={name === current ? "visible" : "hidden"}>
          <div role="tabpanel" id={`panel-${name}`} aria-labelledby={`tab-${name}`} tabIndex={0} className="panel">
            <Suspense fallback={<p>Loading…</p>}>{children(name)}</Suspense>
          </div>
        </Activity>
      ))}
    </>
  );
}

/** Scrolls the window back to where a tab was left. Gives the function that notes the place of the tab in sight. */
function useScrollOf(current: string): () => void {
  const places = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const place = places.current.get(current);
    if (place !== undefined) scrollTo({ top: place });
  }, [current]);
  return () => void places.current.set(current, scrollY);
}

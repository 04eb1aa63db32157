import { useNavigate, useParams } from "@tanstack/react-router";
import { type ComponentType, createElement, type ReactElement, Suspense, useEffect, useRef, useState } from "react";
import { lazyPart, loadPart } from "../parts/lazy-part.ts";
import { useKeys } from "../parts/use-keys.ts";
import { pressInList } from "./list-keys.ts";
import { useSession } from "../session/viewer.tsx";

const ApiDialog = lazyPart(() => import("./api-dialog.tsx"), "ApiDialog");
const loadPalette = () => import("../palette/palette.tsx");
const LazyPalette = lazyPart(loadPalette, "Palette");
const KeysDialog = lazyPart(() => import("./keys-dialog.tsx"), "KeysDialog");

type Opened = "api" | "keys" | "palette";

/** How long the second key of a pair may take. */
const PAIR_MS = 1500;

/** The tools of all pages: their keys, and the API behind them. */
export function Tools() {
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => setOpened(null);
  const drawPalette = usePalette();
  const go = useGo();
  const former = useRef({ key: "", at: 0 });
  useKeys((event) => {
    const { key, timeStamp } = event;
    const isPair = former.current.key === "g" && timeStamp - former.current.at < PAIR_MS;
    former.current = { key, at: timeStamp };
    if (key === "?") setOpened("keys");
    else if (isPair ? go(key) : pressInList(key)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== "k" || ctrlKey === metaKey || altKey || shiftKey) return;
      event.preventDefault();
      // An open dialog keeps the keys.
      if (document.querySelector("dialog[open]") === null) setOpened("palette");
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
  return (
    <>
      <button type="button" aria-keyshortcuts="Control+K Meta+K" onClick={() => setOpened("palette")}>
        Go to…
      </button>
      <button type="button" onClick={() => setOpened("api")}>
        API
      </button>
      <button type="button" aria-keyshortcuts="?" onClick={() => setOpened("keys")}>
        Keys
      </button>
      <Suspense>
        {opened === "api" && <ApiDialog onClose={close} />}
        {opened === "palette" && drawPalette({ onClose: close })}
        {opened === "keys" && <KeysDialog onClose={close} />}
      </Suspense>
    </>
  );
}

type PaletteProps = { readonly onClose: () => void };

/**
 * Loads the palette while the page is idle. Once it is there it is drawn at once, and takes the keys that a person types right
 * behind the one that opens it. Gives the function that draws it.
 */
function usePalette(): (props: PaletteProps) => ReactElement {
  const [loaded, setLoaded] = useState<ComponentType<PaletteProps>>(() => LazyPalette);
  useEffect(() => {
    const load = async (): Promise<void> => {
      const { Palette } = await loadPart(loadPalette);
      setLoaded(() => Palette);
    };
    const idle = requestIdleCallback(() => void load().catch(() => undefined));
    return () => cancelIdleCallback(idle);
  }, []);
  return (props) => createElement(loaded, props);
}

/** Gives the function that opens the page of the second key of a pair, and whether there is one, in the organization of this page. */
function useGo(): (key: string) => boolean {
  const navigate = useNavigate();
  const { organizations } = useSession();
  const { organization: ofPage } = useParams({ strict: false });
  const organization = ofPage ?? organizations[0]?.slug;
  return (key) => {
    if (key === "i") void navigate({ to: "/inbox" });
    else if (organization === undefined) return false;
    else if (key === "r")
      void navigate({ to: "/o/$organization/runs", params: { organization }, search: { show: "all" } });
    else if (key === "w") void navigate({ to: "/o/$organization/workspaces", params: { organization } });
    else if (key === "o") void navigate({ to: "/o/$organization", params: { organization } });
    else return false;
    return true;
  };
}

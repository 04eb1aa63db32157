// oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus -- the list of a combobox: its field keeps the focus
import { useParams, useRouter } from "@tanstack/react-router";
import { useEffect, useId, useState } from "react";
import { ChangesetNamesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { Dialog } from "../parts/dialog.tsx";
import { visible } from "../parts/visible.ts";
import { useSession } from "../session/viewer.tsx";
import { changesetsFor, type Entry, entriesOf, pagesFor } from "./entries.ts";
import styles from "./palette.module.css";
import { useHits } from "./use-hits.ts";

/** A field that opens pages, and objects that the API finds: by the keyboard, the mouse or a finger. */
export function Palette({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const { organizations } = useSession();
  const { organization } = useParams({ strict: false });
  const current = organization ?? organizations[0]?.slug;
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const id = useId();
  const { hits, isSearching, problem } = useHits(text);
  const changesets = useChangesets(text, current);
  const entries = [...pagesFor(text, organizations, current), ...changesets, ...entriesOf(hits, current)];
  // Hits that come later are below: the entry that is marked stays marked.
  const at = Math.max(
    0,
    entries.findIndex((entry) => entry.id === chosen),
  );
  const active = entries[at];
  const idOf = (entry: Entry): string => `${id}-${entry.id}`;
  const activeId = active === undefined ? undefined : idOf(active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  const open = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    router.history.push(entry.path);
  };
  const press = (event: React.KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: entries.length - 1 }[event.key];
    if (event.key === "Enter") open(active);
    else if (step === undefined) return;
    else if (entries.length > 0) setChosen(entries[(at + step) % entries.length]?.id ?? null);
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        ref={(field) => field?.setAttribute("autofocus", "")}
        className={styles["field"]}
        role="combobox"
        aria-label="Page or object"
        aria-expanded={entries.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="A page, a workspace, network #212, a person, an id…"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setChosen(null);
        }}
        onKeyDown={press}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Pages and objects" className={styles["list"]}>
        {entries.map((entry) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field takes the keys
          <div
            key={entry.id}
            id={idOf(entry)}
            role="option"
            aria-selected={entry === active}
            onClick={() => open(entry)}
          >
            <span>{visible(entry.title)}</span> <span className="quiet">{visible(entry.note)}</span>
          </div>
        ))}
      </div>
      <output className="quiet">
        {problem !== null && <span className="problem">{visible(problem)}</span>}
        {problem === null && statusOf(entries.length, isSearching)}
      </output>
    </Dialog>
  );
}

/** Finds changesets by their titles, which the search of the API does not know: the newest of the organization. */
function useChangesets(text: string, organization = ""): Entry[] {
  const pause = organization === "" || text.trim() === "";
  const [{ data }] = useDocument(ChangesetNamesDocument, { organization }, { pause });
  const known = data?.organization?.changesets.edges.map(({ node }) => node) ?? [];
  return changesetsFor(text, known, organization);
}

function statusOf(count: number, isSearching: boolean): string {
  if (isSearching) return "Searching…";
  return count === 0 ? "Nothing was found." : `${count} ${count === 1 ? "entry" : "entries"}`;
}

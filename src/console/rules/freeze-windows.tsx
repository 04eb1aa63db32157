import type { FreezeWindowInput, FreezeWindowItemFragment } from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { DeleteEntry, EntryForm, type EntryList } from "../parts/entry-commands.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { lengthOf } from "./rule-text.ts";
import { readWindow, windowInputOf } from "./rule-input.ts";
import type { RulesOwner } from "./rules-owner.ts";

const WindowFields = lazyPart(() => import("./window-fields.tsx"), "WindowFields");

interface FreezeWindowsOf<TResult extends object, TInput extends object> {
  readonly windows: readonly FreezeWindowItemFragment[];
  /** `null`: the person may not change them. */
  readonly owner: RulesOwner<TResult, TInput> | null;
}

/** The freeze windows of a workspace or an organization, and the commands that set them. */
export function FreezeWindows<TResult extends object, TInput extends object>({
  windows,
  owner,
}: FreezeWindowsOf<TResult, TInput>) {
  const list = owner === null ? null : windowList(owner);
  return (
    <>
      {windows.length > 0 && (
        <ul>
          {windows.map((window) => (
            <li key={window.name}>
              <WindowText window={window} />
              {list !== null && (
                <Commands>
                  <EntryForm list={list} entry={windowInputOf(window)} readEntry={readWindow}>
                    <WindowFields window={window} />
                  </EntryForm>
                  <DeleteEntry
                    list={list}
                    entry={windowInputOf(window)}
                    text="Runs that wait for its end are applied, unless something else holds them."
                  />
                </Commands>
              )}
            </li>
          ))}
        </ul>
      )}
      {list !== null && (
        <Commands>
          <EntryForm list={list} readEntry={readWindow}>
            <WindowFields />
          </EntryForm>
        </Commands>
      )}
    </>
  );
}

function windowList<TResult extends object, TInput extends object>(
  owner: RulesOwner<TResult, TInput>,
): EntryList<TResult, TInput, FreezeWindowInput> {
  return {
    document: owner.document,
    field: "freezeWindows",
    noun: "freeze window",
    owner: visible(owner.name),
    read: async () => {
      const now = await owner.read();
      return now === null ? null : { ...now, entries: now.freezeWindows.map(windowInputOf) };
    },
    inputOf: (freezeWindows, settingsDigest) => owner.inputOf({ freezeWindows: [...freezeWindows], settingsDigest }),
    onDone: owner.onDone,
  };
}

/** A freeze window in words, and when it opens. */
export function WindowText({ window }: { window: FreezeWindowItemFragment }) {
  const { name, cron, timeZone, durationMinutes, open, nextOpensAt } = window;
  return (
    <>
      Nothing is applied in <strong>{visible(name)}</strong>: {visible(cron)} ({visible(timeZone)}), for{" "}
      {lengthOf(durationMinutes)} {open && <strong className="problem">open now</strong>}
      {!open && nextOpensAt != null && (
        <span className="quiet">
          begins <Ago at={nextOpensAt} />
        </span>
      )}
    </>
  );
}

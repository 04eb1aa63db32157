import { useEffect } from "react";
import { LogSectionsDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { useNow } from "../parts/time.tsx";
import { useRereadOn } from "../parts/use-reread-on.ts";
import { useReread } from "../parts/use-reread.ts";
import { type LogSection, sectionsOf } from "./sections.ts";

/** Reads the sections of the log of a run, and again after each change of the run and with the first line of a further section. */
export function useSections(runId: string, version: number, newest: string): readonly LogSection[] {
  const [{ data }, reload] = useDocument(LogSectionsDocument, { runId });
  const reread = useReread(reload);
  const now = useNow();
  const phases = data?.run?.phases ?? [];
  const read = phases.findLast(({ firstLine }) => firstLine != null);
  const isOld = newest !== "" && newest !== `${read?.kind} ${read?.attempt}`;
  useRereadOn(version, reread);
  useEffect(() => {
    if (isOld) reread();
  }, [isOld, reread]);
  return sectionsOf(phases, now);
}

import { useEffect, useState } from "react";
import { CronTimesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { isLost } from "../live/retry.ts";
import { visible } from "../parts/visible.ts";

/** A person who types has not finished: the times are read once nothing has come for this long. */
const PAUSE_MS = 300;

interface Timing {
  readonly cron: string;
  readonly timeZone: string;
}

/** The next times of an expression, in its time zone, as the server works them out. */
export function NextTimes({ cron, timeZone }: Timing) {
  const typed = { cron: cron.trim(), timeZone: timeZone.trim() };
  const asked = usePaused(typed);
  const isTyping = asked.cron !== typed.cron || asked.timeZone !== typed.timeZone;
  const pause = asked.cron === "" || asked.timeZone === "" || isTyping;
  const [{ data, error, fetching }] = useDocument(CronTimesDocument, { ...asked }, { pause });
  const isWrong = error !== undefined && !isLost(error);
  const times =
    pause || fetching ? "" : isWrong ? "These are no times yet." : textOf(data?.cronTimes ?? [], asked.timeZone);
  // Assistive technology reads it when the times have changed, and not with each letter.
  return <output className="quiet">{times}</output>;
}

function textOf(times: readonly string[], timeZone: string): string {
  if (times.length === 0) return "";
  const format = formatOf(timeZone);
  return `Next: ${times.map((time) => visible(format.format(new Date(time)))).join("; ")}.`;
}

/** A zone that the server knows may be new to an old browser: then the times are in UTC. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const options = { dateStyle: "medium", timeStyle: "short" } as const;
  try {
    return new Intl.DateTimeFormat(undefined, { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" });
  }
}

/** Returns the values once they have not changed for a while. */
function usePaused({ cron, timeZone }: Timing): Timing {
  const [paused, setPaused] = useState({ cron, timeZone });
  useEffect(() => {
    const timer = setTimeout(() => setPaused({ cron, timeZone }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [cron, timeZone]);
  return paused;
}

/** Describes which runners a waiting run lacks. */
import type { RunnerSupply } from "./blocker-input.ts";

/** Explains why no runner takes a run. */
export function runnerMessage(supply: RunnerSupply): string {
  const { present, draining, offline, drainingSince, offlineSince } = supply;
  const wanted = describe(supply);
  if (present > 0) return `All runners${wanted} are busy. Wait, or start another one.`;
  const gone = [
    ...(offline > 0 ? [`${offline} offline${offlineSince === null ? "" : ` since ${offlineSince}`}`] : []),
    ...(draining > 0 ? [`${draining} draining${drainingSince === null ? "" : ` since ${drainingSince}`}`] : []),
  ];
  const others = gone.length === 0 ? "" : ` (${gone.join(", ")})`;
  return `No runner${wanted} is available${others}. Start one.`;
}

function describe({ pool, labels }: RunnerSupply): string {
  const words = labels.length === 1 ? "the label" : "the labels";
  return `${pool === null ? "" : ` of the pool ${pool}`}${labels.length === 0 ? "" : ` with ${words} ${labels.join(", ")}`}`;
}

/** Leaves out the pool, and how many of its runners there are. The labels are those of the workspace. */
export function withoutSupply({ labels, present }: RunnerSupply): RunnerSupply {
  return { pool: null, labels, present, draining: 0, offline: 0, drainingSince: null, offlineSince: null };
}

/** Returns since when no runner takes work; `null` if some do, or none ever did. */
export function missingSince({ present, drainingSince, offlineSince }: RunnerSupply): string | null {
  if (present > 0) return null;
  return (
    [drainingSince, offlineSince]
      .filter((at) => at !== null)
      .toSorted()
      .at(-1) ?? null
  );
}

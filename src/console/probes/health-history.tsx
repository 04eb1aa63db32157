import { useState } from "react";
import { HealthHistoryDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { ListState } from "../parts/list-state.tsx";
import { Table } from "../parts/table.tsx";
import { useNow } from "../parts/time.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { type Bucket, type Column, columnsOf, goodShare, type Stretch, toneOfColumn } from "./health-columns.ts";
import styles from "./health-history.module.css";

const HOUR_MS = 3_600_000;
const SPANS = [
  { name: "Last day", hours: 24, rows: 24 },
  { name: "Last week", hours: 168, rows: 7 },
] as const;
type Span = (typeof SPANS)[number];

/**
 * The bounds that are asked for change every twelve hours, and lie further apart than what is shown: the cache keeps each
 * answer by its bounds, and a tab may be open for weeks.
 */
const STEP_MS = 12 * HOUR_MS;
const BARS = 96;

interface HealthHistoryOf {
  readonly workspaceId: string;
  /** The names of the probes that are sent all the time. */
  readonly probes: readonly string[];
}

/** The samples of the last day or week of each probe, as bars and as a table. */
export function HealthHistory({ workspaceId, probes }: HealthHistoryOf) {
  const [span, choose] = useState<Span>(SPANS[0]);
  return (
    <section aria-label="History of health">
      <div className={styles["head"]}>
        <h3>History of health</h3>
        <fieldset className={styles["spans"]}>
          <legend className="hidden">Time</legend>
          {SPANS.map((known) => (
            <button key={known.name} type="button" aria-pressed={known === span} onClick={() => choose(known)}>
              {known.name}
            </button>
          ))}
        </fieldset>
      </div>
      {probes.map((probe) => (
        <ProbeHistory key={`${probe} ${span.name}`} {...{ workspaceId, probe, span }} />
      ))}
    </section>
  );
}

interface ProbeHistoryOf {
  readonly workspaceId: string;
  readonly probe: string;
  readonly span: Span;
}

function ProbeHistory({ workspaceId, probe, span }: ProbeHistoryOf) {
  const now = useNow();
  const length = span.hours * HOUR_MS;
  const first = Math.floor((now - length) / STEP_MS) * STEP_MS;
  const [from, to] = [first, first + length + 2 * STEP_MS].map((at) => new Date(at).toISOString());
  const [read, reload] = useDocument(HealthHistoryDocument, { id: workspaceId, probe, from: from ?? "", to: to ?? "" });
  useTick(reload);
  const buckets = read.data?.workspace?.healthHistory ?? [];
  const shown = { from: now - length, to: now };
  const bars = columnsOf(buckets, { ...shown, count: BARS });
  const isEmpty = bars.every((bar) => bar === null);
  return (
    <div className={styles["probe"]}>
      <div>
        <strong>{visible(probe)}</strong> {!isEmpty && <span className="quiet">{goodShare(bars)}</span>}
      </div>
      <ListState
        read={read}
        count={isEmpty ? 0 : 1}
        empty="No samples yet. They are shown once their five minutes, or for a week their hour, are over."
      />
      {!isEmpty && (
        <>
          <Bars label={`${visible(probe)}, ${span.name.toLowerCase()}: ${goodShare(bars)}`} bars={bars} />
          <HistoryTable
            label={`Health of ${visible(probe)}`}
            buckets={buckets}
            stretch={{ ...shown, count: span.rows }}
          />
        </>
      )}
    </div>
  );
}

/** Bars of equal time, the newest at the end. Those with a bad sample are higher, so that their color is not needed. */
function Bars({ label, bars }: { label: string; bars: readonly (Column | null)[] }) {
  return (
    <svg
      className={styles["bars"]}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${BARS * 4} 24`}
      preserveAspectRatio="none"
    >
      {bars.map((bar, at) => {
        const tone = bar === null ? "none" : toneOfColumn(bar);
        const height = HEIGHTS[tone];
        return <rect key={at} data-tone={tone} x={at * 4} y={24 - height} width={3} height={height} />;
      })}
    </svg>
  );
}

const HEIGHTS = { none: 1, busy: 9, good: 14, bad: 24 } as const;

interface HistoryTableOf {
  readonly label: string;
  readonly buckets: readonly Bucket[];
  readonly stretch: Stretch;
}

function HistoryTable({ label, buckets, stretch }: HistoryTableOf) {
  const rows = columnsOf(buckets, stretch).filter((row) => row !== null);
  return (
    <details>
      <summary>As a table</summary>
      <Table label={label} heads={["From", "Samples", "Not good", "While a run changed it", "Median", "Longest"]}>
        {rows.toReversed().map(({ from, samples, bad, held, medianMs, maxMs }) => (
          <tr key={from}>
            <td>
              <time dateTime={new Date(from).toISOString()}>{instant.format(from)}</time>
            </td>
            <td>{samples}</td>
            <td>{bad > 0 ? <strong className="problem">{bad}</strong> : 0}</td>
            <td>{held}</td>
            <td>{medianMs === null ? "no answer" : `${medianMs} ms`}</td>
            <td>{maxMs === null ? "no answer" : `${maxMs} ms`}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

const instant = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit" });

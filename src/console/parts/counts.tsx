import styles from "./counts.module.css";

/** The counts of a plan. */
export interface PlanCounts {
  readonly hasChanges: boolean;
  readonly additions: number;
  readonly changes: number;
  readonly destructions: number;
  readonly replacements: number;
  readonly forgets: number;
  readonly moves: number;
  readonly imports: number;
  /** Absent where they are not counted, as over a whole changeset. */
  readonly outputCounts?: Readonly<Record<(typeof OUTPUT_PARTS)[number][0], number>>;
}

const PARTS = [
  ["destructions", "−", "destroyed", "bad"],
  ["replacements", "±", "replaced", "bad"],
  ["forgets", "⊘", "forgotten", "asks"],
  ["changes", "~", "changed", "asks"],
  ["additions", "+", "created", "good"],
  ["imports", "⇣", "imported", "busy"],
  ["moves", "→", "moved", "busy"],
] as const;
/** Outputs are created, changed and removed, and nothing else. */
const OUTPUT_PARTS = [
  ["destructions", "−", "removed", "bad"],
  ["changes", "~", "changed", "asks"],
  ["additions", "+", "created", "good"],
] as const;

type Part = (typeof PARTS | typeof OUTPUT_PARTS)[number];

/** The effects of a plan on resources and outputs, as a strip of signs: destructions are first. */
export function Counts({ plan }: { plan: PlanCounts | null | undefined }) {
  if (plan == null) return null;
  const { outputCounts } = plan;
  const outputs = outputCounts === undefined ? [] : OUTPUT_PARTS.filter(([name]) => outputCounts[name] > 0);
  if (!plan.hasChanges && outputs.length === 0) return <span className={styles["none"]}>no changes</span>;
  return (
    <span className={styles["counts"]}>
      {PARTS.filter(([name]) => plan[name] > 0).map((part) => (
        <Count key={part[0]} part={part} of={plan[part[0]]} />
      ))}
      {outputs.length > 0 && (
        <span className={styles["outputs"]}>
          <span className={styles["none"]}>outputs </span>
          {outputs.map((part) => (
            <Count key={part[0]} part={part} of={outputCounts?.[part[0]] ?? 0} />
          ))}
        </span>
      )}
    </span>
  );
}

function Count({ part: [, sign, word, tone], of }: { part: Part; of: number }) {
  return (
    <span data-tone={tone} title={`${of} ${word}`}>
      <span aria-hidden="true">{sign}</span>
      {of}
      <span className="hidden"> {word} </span>
    </span>
  );
}

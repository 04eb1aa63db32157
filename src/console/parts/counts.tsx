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

/** The effects of a plan, in signs: destructions are first. */
export function Counts({ plan }: { plan: PlanCounts | null | undefined }) {
  if (plan == null) return null;
  if (!plan.hasChanges) return <span className={styles["none"]}>no changes</span>;
  return (
    <span className={styles["counts"]}>
      {PARTS.filter(([name]) => plan[name] > 0).map(([name, sign, word, tone]) => (
        <span key={name} data-tone={tone} title={`${plan[name]} ${word}`}>
          <span aria-hidden="true">{sign}</span>
          {plan[name]}
          <span className="hidden"> {word} </span>
        </span>
      ))}
    </span>
  );
}

import { type ReactNode, useMemo, useState } from "react";
import type { RunPageFragment } from "../generated/graphql.ts";
import { useIsLive } from "../live/freshness.tsx";
import { DecisionDialog } from "../run/decision-dialog.tsx";
import type { DecisionName } from "../run/decisions.ts";
import { PickContext } from "./pick.tsx";
import styles from "./plan-view.module.css";

interface PicksProps {
  readonly run: RunPageFragment;
  /** Whether the plan is the current one: no other takes picks. */
  readonly isCurrent: boolean;
  readonly children: ReactNode;
}

/** Lets a person pick changes of a plan, and plan again for these. A new plan begins with nothing picked. */
export function Picks({ run, isCurrent, children }: PicksProps) {
  const isLive = useIsLive();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<DecisionName | null>(null);
  const canReplan = isCurrent && run.actions.some(({ action, allowed }) => action === "REPLAN" && allowed);
  const context = useMemo(
    () => ({
      picked,
      set: (addresses: readonly string[], isPicked: boolean) =>
        setPicked((known) => {
          const next = new Set(known);
          for (const address of addresses)
            if (isPicked) next.add(address);
            else next.delete(address);
          return next;
        }),
    }),
    [picked],
  );
  const isLimited = run.targets.length > 0 || run.replace.length > 0;
  const command = (name: DecisionName, label: string) => (
    <button type="button" disabled={!isLive} onClick={() => setOpen(name)}>
      {label}
    </button>
  );
  return (
    <PickContext value={canReplan ? context : null}>
      {children}
      {canReplan && (picked.size > 0 || isLimited) && (
        <fieldset className={styles["picks"]}>
          <legend className="hidden">Plan again</legend>
          {picked.size > 0 && (
            <>
              <span>{picked.size} picked</span>
              {command("planPicked", "Plan only these…")}
              {command("replacePicked", "Replace these…")}
              <button type="button" onClick={() => setPicked(new Set())}>
                Pick none
              </button>
            </>
          )}
          {isLimited && command("planAll", "Plan the whole configuration…")}
        </fieldset>
      )}
      {open !== null && (
        <DecisionDialog
          key={open}
          run={run}
          name={open}
          addresses={open === "planAll" ? [] : [...picked]}
          onClose={() => setOpen(null)}
        />
      )}
    </PickContext>
  );
}

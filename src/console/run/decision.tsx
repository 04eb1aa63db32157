import { Suspense, useState } from "react";
import type { RunPageFragment } from "../generated/graphql.ts";
import { useIsLive } from "../live/freshness.tsx";
import { client } from "../live/link.ts";
import { Counts } from "../parts/counts.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { Ago } from "../parts/time.tsx";
import { useKeys } from "../parts/use-keys.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import styles from "./decision.module.css";
import { DecisionDialog } from "./decision-dialog.tsx";
import { type DecisionName, offersOf } from "./decisions.ts";
import { Requirements } from "./requirements.tsx";

const FollowUps = lazyPart(() => import("./follow-ups.tsx"), "FollowUps");

interface DecisionProps {
  readonly run: RunPageFragment;
  /** The version of the plan that the person reads; absent: the current one, or no plan. */
  readonly read: number | undefined;
  readonly onReadCurrent: () => void;
}

/**
 * The action that is asked of the person, and the commands. A command names the plan that was shown. A page that may be
 * out of date, or shows another plan than the current one, offers none.
 */
export function Decision({ run, read, onReadCurrent }: DecisionProps) {
  const isLive = useIsLive();
  const [open, setOpen] = useState<DecisionName | null>(null);
  const isOther = read !== undefined && run.plan != null && read !== run.plan.version;
  const offered = isOther ? [] : offersOf(run);
  useKeys((event) => {
    if (!isLive) return;
    const found = offered.find(({ key }) => key !== undefined && key === event.key);
    if (found === undefined) return;
    event.preventDefault();
    setOpen(found.name);
  });
  return (
    <section className={`panel ${styles["decision"]}`} aria-label="What is asked">
      <h2>{run.isTerminal ? "Ended" : asked(run.requiredAction)}</h2>
      {run.plan != null && (
        <p>
          Plan v{run.plan.version} <code title={run.plan.digest}>{run.plan.digest.slice(0, 8)}</code>{" "}
          <Counts plan={run.plan} />
        </p>
      )}
      {run.cancelRequested != null && (
        <p>
          {visible(run.cancelRequested.actor.name)} asked the runner to stop, <Ago at={run.cancelRequested.at} />. It
          has not ended yet.
        </p>
      )}
      <Requirements run={run} />
      {isOther && (
        <p>
          You read plan v{read}. Decisions are made beside the current plan.{" "}
          <button type="button" onClick={onReadCurrent}>
            Read plan v{run.plan?.version}
          </button>
        </p>
      )}
      {!isLive && run.actions.some(({ allowed }) => allowed) ? (
        <p>
          This page may be out of date.{" "}
          <button type="button" onClick={() => client.checkNow()}>
            Check again
          </button>
        </p>
      ) : (
        <div className={styles["commands"]}>
          {offered.map(({ name, label, tone, key }) => (
            <button key={name} type="button" className={tone} aria-keyshortcuts={key} onClick={() => setOpen(name)}>
              {label(run)}
            </button>
          ))}
          <Suspense>{run.isTerminal && !isOther && <FollowUps run={run} />}</Suspense>
        </div>
      )}
      {open !== null && <DecisionDialog key={open} run={run} name={open} onClose={() => setOpen(null)} />}
    </section>
  );
}

function asked(action: string): string {
  return action === "NONE" || action === "WAIT" ? "Nothing is asked of you now" : wordsOf(action);
}

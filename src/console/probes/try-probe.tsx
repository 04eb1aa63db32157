import { useRef, useState, useEffect, useEffectEvent } from "react";
import { TestProbeDocument, type TestProbeMutation } from "../generated/graphql.ts";
import { useIsLive } from "../live/freshness.tsx";
import { Mark } from "../parts/mark.tsx";
import { fieldNames, issuesOfFields } from "../parts/field-issues.ts";
import type { Issue } from "../parts/refused.ts";
import { Refusal } from "../parts/refusal.tsx";
import { useSending } from "../parts/sending.ts";
import { visible } from "../parts/visible.ts";
import { readProbe } from "./probe-input.ts";

type Answer = Extract<TestProbeMutation["testProbe"], { __typename: "TestProbeSuccess" }>;
type Target = Answer["targets"][number];

interface TryProbeOf {
  readonly workspaceId: string;
  /** Takes the problems that the API found with single fields. */
  readonly onIssues: (issues: readonly Issue[]) => void;
}

/** A button in the form of a probe that tries it as it is in the form, and what came of it. Nothing is kept. */
export function TryProbe({ workspaceId, onIssues }: TryProbeOf) {
  const isLive = useIsLive();
  const place = useRef<HTMLDivElement>(null);
  const { state, refused, send } = useSending(TestProbeDocument);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const report = useEffectEvent(onIssues);
  useEffect(() => {
    const form = place.current?.closest("form") ?? null;
    const names = form === null ? new Set<string>() : fieldNames(form);
    report(issuesOfFields(refused?.issues ?? [], names));
  }, [refused]);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    setAnswer(null);
    setAnswer(await send(async () => ({ workspaceId, probe: readProbe(form) })));
  };
  useEffect(() => {
    // A result is about what was tried, not about what was typed afterwards.
    const form = place.current?.closest("form");
    const forget = (): void => setAnswer(null);
    form?.addEventListener("input", forget);
    return () => form?.removeEventListener("input", forget);
  }, []);
  const isTrying = state === "SENDING";
  return (
    <div ref={place}>
      <button
        type="button"
        disabled={!isLive || isTrying}
        onClick={({ currentTarget: { form } }) => form !== null && form.reportValidity() && void submit(form)}
      >
        {isTrying ? "Trying…" : "Try it now"}
      </button>
      <output>
        {isTrying && <p className="quiet">A runner has 25 seconds to answer.</p>}
        {answer?.problem != null && <p>Nothing was tried. {visible(answer.problem)}</p>}
        {answer !== null && answer.targets.length > 0 && (
          <ul>
            {answer.targets.map((target) => (
              <li key={target.address}>
                <TriedTarget target={target} />
              </li>
            ))}
          </ul>
        )}
      </output>
      <Refusal refused={refused} isMarked={refused !== null && refused.issues.length > 0} />
    </div>
  );
}

function TriedTarget({ target: { address, ok, latencyMs, reason } }: { target: Target }) {
  return (
    <>
      <Mark tone={ok ? "good" : "bad"}>{ok ? "works" : "does not work"}</Mark> {visible(address)}
      {latencyMs != null && <span className="quiet"> after {latencyMs} ms</span>}
      {reason != null && <div>{visible(reason)}</div>}
    </>
  );
}

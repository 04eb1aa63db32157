import { useContext, useState } from "react";
import type { ProbeFrom, ProbeItemFragment, ProbeKind, ProbeUse, ProbeWeight } from "../generated/graphql.ts";
import type { Issue } from "../parts/refused.ts";
import { ChoiceField, IssuesContext, TextField } from "../parts/text-field.tsx";
import { AnswerFields } from "./answer-fields.tsx";
import { hasField, isProbeKind, PROBE_KINDS, TARGETS } from "./probe-kinds.ts";
import { RequestFields } from "./request-fields.tsx";
import { TryProbe } from "./try-probe.tsx";

const USES: readonly (readonly [ProbeUse, string])[] = [
  ["BOTH", "After an apply, and all the time"],
  ["VERIFY", "After an apply"],
  ["HEALTH", "All the time"],
];
const WEIGHTS: readonly (readonly [ProbeWeight, string])[] = [
  ["REQUIRED", "The workspace works only if it passes"],
  ["INFORMATIONAL", "It is shown, and decides nothing"],
];
const SENDERS: readonly (readonly [ProbeFrom, string])[] = [
  ["RUNNERS", "Runners of the workspace, which reach private networks"],
  ["SERVER", "The server, which reaches public addresses"],
];

interface ProbeFieldsOf {
  readonly workspaceId: string;
  readonly probe?: ProbeItemFragment;
  /** Whether the person may set commands. */
  readonly allowsCommands: boolean;
}

/** The fields of a probe, and a button that tries it before it is kept. */
export function ProbeFields({ workspaceId, probe, allowsCommands }: ProbeFieldsOf) {
  const [kind, setKind] = useState<ProbeKind>(probe?.kind ?? "HTTP");
  const [tried, setTried] = useState<readonly Issue[]>([]);
  const issues = [...useContext(IssuesContext), ...tried];
  const isKnown = (name: string): boolean => name !== "COMMAND" || allowsCommands || probe?.kind === "COMMAND";
  const target = TARGETS[kind];
  return (
    <IssuesContext value={issues}>
      <TextField
        name="name"
        label="Name"
        required
        maxLength={63}
        hint="Small letters, digits, hyphens, underscores."
        defaultValue={probe?.name ?? ""}
      />
      <ChoiceField
        name="kind"
        label="Kind"
        choices={Object.entries(PROBE_KINDS).filter(([name]) => isKnown(name))}
        defaultValue={kind}
        onChoose={(value) => setKind(isProbeKind(value) ? value : "HTTP")}
      />
      {target !== null && <TextField name="target" required {...target} defaultValue={probe?.target ?? ""} />}
      {hasField(kind, "network") && (
        <ChoiceField name="from" label="Sent by" choices={SENDERS} defaultValue={probe?.from ?? "RUNNERS"} />
      )}
      {hasField(kind, "network") && (
        <ChoiceField name="use" label="When" choices={USES} defaultValue={probe?.use ?? "BOTH"} />
      )}
      <ChoiceField name="weight" label="Weight" choices={WEIGHTS} defaultValue={probe?.weight ?? "REQUIRED"} />
      <RequestFields key={`request ${kind}`} kind={kind} probe={probe} />
      <AnswerFields key={`answer ${kind}`} kind={kind} probe={probe} />
      <TextField
        name="intervalSeconds"
        label="Seconds between two attempts"
        type="number"
        required
        min={10}
        defaultValue={probe?.intervalSeconds ?? 30}
      />
      <TextField
        name="timeoutMs"
        label="Milliseconds for one attempt"
        type="number"
        required
        min={100}
        defaultValue={probe?.timeoutMs ?? 5000}
      />
      {hasField(kind, "network") && <TryProbe workspaceId={workspaceId} onIssues={setTried} />}
    </IssuesContext>
  );
}

import { useContext, useState } from "react";
import type { ProbeFrom, ProbeItemFragment, ProbeKind, ProbeUse, ProbeWeight } from "../generated/graphql.ts";
import type { Issue } from "../parts/refused.ts";
import { BoxesField, ChoiceField, IssuesContext, LinesField, TextField } from "../parts/text-field.tsx";
import { hasSecrets } from "./probe-input.ts";
import { hasField, isProbeKind, PROBE_KINDS, TARGETS } from "./probe-kinds.ts";
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

interface KindFieldsOf {
  readonly kind: ProbeKind;
  readonly probe: ProbeItemFragment | undefined;
}

const METHODS = ["GET", "HEAD", "POST"].map((method) => [method, method] as const);

function RequestFields({ kind, probe }: KindFieldsOf) {
  return (
    <>
      {hasField(kind, "method") && (
        <ChoiceField name="method" label="Method" choices={METHODS} defaultValue={probe?.method ?? "GET"} />
      )}
      {hasField(kind, "paths") && (
        <LinesField
          name="paths"
          label="Paths (optional)"
          rows={2}
          hint="One a line. The first that answers well counts; without any, that of the address."
          defaultValue={probe?.paths.join("\n") ?? ""}
        />
      )}
      {hasField(kind, "body") && <SecretFields kind={kind} probe={probe} />}
      {hasField(kind, "serverName") && (
        <TextField
          name="serverName"
          label="Name that the certificate is for"
          hint="The host, if you leave it empty."
          defaultValue={probe?.serverName ?? ""}
        />
      )}
      {hasField(kind, "followRedirects") && (
        <BoxesField
          name="flags"
          label="Redirects"
          choices={[["followRedirects", "Follow redirects, five at most"]]}
          checked={probe?.followRedirects === true ? ["followRedirects"] : []}
        />
      )}
    </>
  );
}

/** Headers and body, which are secrets: those of now are kept, or replaced as a whole. */
function SecretFields({ kind, probe }: KindFieldsOf) {
  const kept = probe !== undefined && probe.kind === kind && hasSecrets(probe) ? probe : null;
  const [keeps, setKeeps] = useState(kept !== null);
  const parts = kept === null ? [] : [...kept.headerNames, ...(kept.hasBody ? ["the body"] : [])];
  return (
    <>
      {kept !== null && (
        <ChoiceField
          name="secretsOf"
          label="Headers and body"
          choices={[
            [kept.name, `Keep them: ${parts.join(", ")}`],
            ["", "Replace all of them"],
          ]}
          hint="They are not shown. They are kept only if the probe still goes to its host."
          onChoose={(value) => setKeeps(value !== "")}
        />
      )}
      {!keeps && hasField(kind, "headers") && (
        <LinesField
          name="headers"
          label="Headers (optional)"
          rows={2}
          hint="One a line: X-Api-Key: {{var.KEY}}. They are not shown again."
        />
      )}
      {!keeps && (
        <LinesField
          name="body"
          label={kind === "GRAPHQL" ? "Document" : "Body (optional)"}
          rows={3}
          required={kind === "GRAPHQL"}
          hint="It is not shown again."
        />
      )}
      {!keeps && hasField(kind, "variables") && (
        <LinesField name="variables" label="Variables (optional)" rows={2} hint="An object of JSON." />
      )}
    </>
  );
}

function AnswerFields({ kind, probe }: KindFieldsOf) {
  const expect = probe?.expect;
  return (
    <>
      {hasField(kind, "statuses") && (
        <TextField
          name="statuses"
          label="Good statuses"
          hint="With commas, such as 200, 4xx. Without any: 2xx and 3xx."
          defaultValue={expect?.statuses.join(", ") ?? ""}
        />
      )}
      {hasField(kind, "bodyContains") && (
        <TextField name="bodyContains" label="A good answer contains" defaultValue={expect?.bodyContains ?? ""} />
      )}
      {hasField(kind, "expression") && (
        <TextField
          name="expression"
          label="Is true of a good answer"
          hint='In CEL, such as json.database == "up".'
          defaultValue={expect?.expression ?? ""}
        />
      )}
      {hasField(kind, "maxLatencyMs") && (
        <TextField
          name="maxLatencyMs"
          label="Slow after milliseconds"
          type="number"
          min={1}
          defaultValue={expect?.maxLatencyMs ?? ""}
        />
      )}
      {hasField(kind, "certificateDays") && (
        <TextField
          name="certificateDays"
          label="Days for which the certificate must be valid"
          type="number"
          min={1}
          defaultValue={expect?.certificateDays ?? ""}
        />
      )}
    </>
  );
}

import { useState } from "react";
import { BoxesField, ChoiceField, LinesField, TextField } from "../parts/text-field.tsx";
import { hasSecrets } from "./probe-input.ts";
import { hasField, type KindFieldsOf } from "./probe-kinds.ts";

const METHODS = ["GET", "HEAD", "POST"].map((method) => [method, method] as const);

/** The fields of what a probe of a kind sends. */
export function RequestFields({ kind, probe }: KindFieldsOf) {
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

/** Probes as the API takes them: from what it returns, and from forms. */
import type {
  ProbeFrom,
  ProbeHeaderInput,
  ProbeInput,
  ProbeItemFragment,
  ProbeUse,
  SuggestedProbeItemFragment,
} from "../generated/graphql.ts";
import { checkedOf, entriesOfField, numberOfField, textOfField, wholeTextOfField } from "../parts/field.ts";
import { pairsOfField } from "../parts/pairs-of-field.ts";
import { wrongField } from "../parts/sending.ts";
import { isProbeKind } from "./probe-kinds.ts";

/** Whether a probe has secrets, which the API does not return. */
export const hasSecrets = ({ hasBody, headerNames }: Pick<ProbeItemFragment, "hasBody" | "headerNames">): boolean =>
  hasBody || headerNames.length > 0;

/** Converts a probe that the API returned. It keeps its secrets. */
export function probeInputOf(probe: ProbeItemFragment): ProbeInput {
  const { name, kind, use, weight, from, target, method, paths, serverName, followRedirects } = probe;
  const { intervalSeconds, timeoutMs, expect } = probe;
  const { statuses, bodyContains, expression, maxLatencyMs, certificateDays } = expect;
  return {
    name,
    kind,
    use,
    weight,
    from,
    target,
    method,
    paths,
    serverName,
    followRedirects,
    intervalSeconds,
    timeoutMs,
    expect: { statuses, bodyContains, expression, maxLatencyMs, certificateDays },
    secretsOf: hasSecrets(probe) ? name : null,
  };
}

/** Converts a probe that the API suggests. What it does not state has the defaults of the API. */
export function suggestedInputOf({ name, kind, use, weight, from, target }: SuggestedProbeItemFragment): ProbeInput {
  return { name, kind, use, weight, from, target };
}

const USES: readonly ProbeUse[] = ["BOTH", "HEALTH", "VERIFY"];

/** Reads a probe from its form. A field that the form does not show has its usual value. */
export function readProbe(form: HTMLFormElement): ProbeInput {
  const [kind, method] = [textOfField(form, "kind"), textOfField(form, "method")];
  const from: ProbeFrom = textOfField(form, "from") === "SERVER" ? "SERVER" : "RUNNERS";
  const secretsOf = textOfField(form, "secretsOf") || null;
  return {
    name: textOfField(form, "name"),
    kind: isProbeKind(kind) ? kind : "HTTP",
    use: USES.find((use) => use === textOfField(form, "use")) ?? "VERIFY",
    weight: textOfField(form, "weight") === "INFORMATIONAL" ? "INFORMATIONAL" : "REQUIRED",
    from,
    target: textOfField(form, "target"),
    method: method === "HEAD" || method === "POST" ? method : "GET",
    paths: textOfField(form, "paths").split(/\s+/).filter(Boolean),
    serverName: textOfField(form, "serverName") || null,
    followRedirects: checkedOf(form, "flags").includes("followRedirects"),
    intervalSeconds: numberOfField(form, "intervalSeconds") ?? 30,
    timeoutMs: numberOfField(form, "timeoutMs") ?? 5000,
    expect: {
      statuses: entriesOfField(form, "statuses"),
      bodyContains: wholeTextOfField(form, "bodyContains") || null,
      expression: textOfField(form, "expression") || null,
      maxLatencyMs: numberOfField(form, "maxLatencyMs"),
      certificateDays: numberOfField(form, "certificateDays"),
    },
    secretsOf,
    ...(secretsOf === null && {
      headers: readHeaders(form),
      body: wholeTextOfField(form, "body") || null,
      variables: readVariables(form),
    }),
  };
}

function readHeaders(form: HTMLFormElement): ProbeHeaderInput[] {
  const problem = "must be one header a line, such as X-Api-Key: {{var.KEY}}";
  return pairsOfField(form, "headers", { separator: ":", problem }).map(([name, value]) => ({ name, value }));
}

function readVariables(form: HTMLFormElement): unknown {
  const text = textOfField(form, "variables");
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    throw wrongField("variables", 'must be an object of JSON, such as {"key": "value"}.');
  }
}

import type { Diagnostic, EngineEvent } from "./engine-event.ts";

/**
 * Renders an event of the engine's `-json` stream as the engine prints it without `-json`. Empty for what the log has
 * already: the version, and in an apply the changes that the plan listed.
 */
export function renderEvent(event: EngineEvent, command: "plan" | "apply"): string {
  switch (event.type) {
    case "version":
      return "";
    case "planned_change":
      return command === "apply" ? "" : event["@message"];
    case "change_summary":
      return command === "apply" && event.changes?.operation === "plan" ? "" : event["@message"];
    case "diagnostic":
      return event.diagnostic === undefined ? event["@message"] : renderDiagnostic(event.diagnostic);
    case "provision_progress":
      return renderProvisioner(event);
    case "outputs":
      return renderOutputs(event, command);
    case undefined:
    default:
      return event["@message"];
  }
}

/** Advice of Terraform and OpenTofu to use an argument, which users of Holdpoint cannot. */
const OPTION_ADVICE =
  /Use a -var or -var-file command\s+line (?:argument|option) to provide a value for this variable\./g;
const SETTING_ADVICE = "Set it in the workspace with `setVariable`.";

/** Replaces advice of an engine that users cannot follow. */
export function adviceFor(detail: string): string {
  return detail.replace(OPTION_ADVICE, SETTING_ADVICE);
}

/** Renders the first line of a diagnostic. */
export function diagnosticHeading({ severity, summary }: Pick<Diagnostic, "severity" | "summary">): string {
  return `${severity === "warning" ? "Warning" : "Error"}: ${summary}`;
}

/** Renders a diagnostic with its location in the configuration, as the engine prints it without `-json`. */
export function renderDiagnostic(diagnostic: Diagnostic): string {
  const heading = diagnosticHeading(diagnostic);
  const location = renderLocation(diagnostic);
  const detail = adviceFor(diagnostic.detail.trimEnd());
  return [heading, ...(location === "" ? [] : ["", location]), ...(detail === "" ? [] : ["", detail]), ""].join("\n");
}

function renderLocation({ address, range, snippet }: Diagnostic): string {
  const lines: string[] = [];
  if (address !== undefined && address !== "") lines.push(`  with ${address},`);
  if (range === null || range === undefined) return lines.join("\n").replace(/,$/, "");
  const block = snippet?.context ? `, in ${snippet.context}` : "";
  lines.push(`  on ${range.filename} line ${range.start.line}${block}:`);
  for (const [index, code] of (snippet?.code.split("\n") ?? []).entries()) {
    lines.push(`  ${String((snippet?.start_line ?? 0) + index).padStart(2)}: ${code}`);
  }
  for (const value of snippet?.values ?? []) lines.push(`    ${value.traversal} ${value.statement}`);
  return lines.join("\n");
}

/** Gives the prefix of each line of a provisioner's output; empty for other events. */
export function provisionerPrefix({ type, hook: { resource, provisioner, output } = {} }: EngineEvent): string {
  const isOutput = type === "provision_progress" && output !== undefined;
  return isOutput && resource !== undefined && provisioner !== undefined ? `${resource.addr} (${provisioner}): ` : "";
}

function renderProvisioner(event: EngineEvent): string {
  const prefix = provisionerPrefix(event);
  if (prefix === "") return event["@message"];
  const lines = (event.hook?.output ?? "").replace(/[\r\n]+$/, "").split(/\r\n|\n|\r/);
  return lines.map((line) => prefix + line).join("\n");
}

function renderOutputs(event: EngineEvent, command: "plan" | "apply"): string {
  const outputs = Object.entries(event.outputs ?? {});
  if (outputs.length === 0) return "";
  if (command === "plan") {
    const changes = outputs.filter(([, output]) => output.action !== undefined && output.action !== "noop");
    if (changes.length === 0) return "";
    return ["Changes to outputs:", ...changes.map(([name, output]) => `  ${name}: ${output.action}`)].join("\n");
  }
  const lines = outputs.map(([name, { sensitive, value }]) => {
    return `${name} = ${sensitive ? "<sensitive>" : (JSON.stringify(value, null, 2) ?? "null")}`;
  });
  return ["Outputs:", "", ...lines].join("\n");
}

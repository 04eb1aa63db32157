/** Writes the engine's description of a plan, masked, piece by piece. */
import { isRecord } from "../../model/kit/is-record.ts";
import { configurationPieces, sensitiveInRoot } from "./document-configuration.ts";
import type { DocumentMask } from "./document-mask.ts";
import { maskNode } from "./document-node.ts";
import { listPieces, objectPieces, type Pieces, valuePieces } from "./json-pieces.ts";
import type { Marks } from "./plan-marks.ts";
import { entriesOf, itemsOf, type PlanTree } from "./plan-tree.ts";
import type { ResourceMarks } from "./resource-marks.ts";

/** Parts that are left out of a document that is too large, in this order. */
export const DOCUMENT_CUTS = [
  "no_op_resources",
  "prior_state",
  "planned_values",
  "resource_drift",
  "configuration",
] as const;

export interface DocumentContext {
  mask: DocumentMask;
  marks: ResourceMarks;
  /** Variables of the root module that are sensitive. */
  hidden: ReadonlySet<string>;
  /** Those of DOCUMENT_CUTS that are left out. */
  cuts: ReadonlySet<string>;
}

/** Writes the plan as an object of JSON. */
export function planPieces(plan: PlanTree, context: DocumentContext): Generator<string> {
  const kept = Object.entries(plan).filter(([name]) => !context.cuts.has(name));
  return objectPieces(kept.map(([name, value]) => [name, sectionPieces(name, value, plan, context)]));
}

function sectionPieces(name: string, value: unknown, plan: PlanTree, context: DocumentContext): Pieces {
  const { mask, hidden } = context;
  switch (name) {
    case "variables":
      return namedPieces(value, (item, key) =>
        valuePieces(hidden.has(key) ? { value: mask.hide(valueOf(item)) } : maskNode(mask, item)),
      );
    case "output_changes": {
      const sensitive = sensitiveInRoot(plan, "outputs");
      return namedPieces(value, (item, key) => valuePieces(maskNode(mask, item, sensitive.has(key))));
    }
    case "resource_changes":
      return listPieces(resourcePieces(context.cuts.has("no_op_resources") ? changed(value) : itemsOf(value), context));
    case "resource_drift":
      return listPieces(resourcePieces(itemsOf(value), context));
    case "planned_values":
      return valuesPieces(value, context);
    case "prior_state":
      return objectPieces(
        entriesOf(value).map(([key, part]) => [
          key,
          key === "values" ? valuesPieces(part, context) : valuePieces(maskNode(mask, part)),
        ]),
      );
    case "configuration":
      return configurationPieces(value, context);
    case "action_invocations":
    case "deferred_action_invocations":
    case "deferred_changes":
      return listPieces(itemsOf(value).map((item) => valuePieces(maskNode(mask, item, marksOf(item, context)))));
    default:
      return valuePieces(
        isRecord(value) || Array.isArray(value) ? maskNode(mask, value) : maskField(mask, name, value),
      );
  }
}

/** Masks a field of the plan itself. */
function maskField(mask: DocumentMask, name: string, value: unknown) {
  const masked = maskNode(mask, { [name]: value });
  return isRecord(masked) ? (Object.values(masked)[0] ?? null) : null;
}

/** Writes an object with names of the configuration as keys. */
function namedPieces(value: unknown, pieces: (item: unknown, name: string) => Pieces): Pieces {
  return objectPieces(entriesOf(value).map(([name, item]) => [name, pieces(item, name)]));
}

function valueOf(variable: unknown): unknown {
  return isRecord(variable) ? variable["value"] : null;
}

function* resourcePieces(changes: readonly PlanTree[], context: DocumentContext): Generator<Pieces> {
  for (const change of changes) yield valuePieces(maskNode(context.mask, change, marksOf(change, context)));
}

function marksOf(resource: PlanTree, { marks }: DocumentContext): Marks {
  const inner = resource["resource_change"];
  const { address } = isRecord(inner) ? inner : resource;
  return typeof address === "string" ? marks.ofInstance(address) : false;
}

/** Leaves out resources that the plan neither changes, moves nor imports. */
function changed(changes: unknown): PlanTree[] {
  return itemsOf(changes).filter(({ change, address, previous_address }) => {
    if (!isRecord(change)) return true;
    const { actions, importing } = change;
    const isMoved = previous_address !== undefined && previous_address !== address;
    return String(actions) !== "no-op" || isMoved || (importing !== undefined && importing !== null);
  });
}

/** Writes the values of a state: outputs, and the resources of nested modules. */
function valuesPieces(values: unknown, context: DocumentContext): Pieces {
  const { mask } = context;
  return objectPieces(
    entriesOf(values).map(([key, part]) => {
      if (key === "root_module") return [key, modulePieces(part, context)];
      if (key === "outputs") return [key, namedPieces(part, (output) => valuePieces(maskNode(mask, output)))];
      return [key, valuePieces(maskNode(mask, part))];
    }),
  );
}

function modulePieces(module: unknown, context: DocumentContext): Pieces {
  return objectPieces(
    entriesOf(module).map(([key, part]) => {
      if (key === "resources") return [key, listPieces(resourcePieces(itemsOf(part), context))];
      if (key === "child_modules") return [key, listPieces(childPieces(itemsOf(part), context))];
      return [key, valuePieces(maskField(context.mask, key, part))];
    }),
  );
}

function* childPieces(modules: readonly PlanTree[], context: DocumentContext): Generator<Pieces> {
  for (const module of modules) yield modulePieces(module, context);
}

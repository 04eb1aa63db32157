/** Judges and checks policies in compiled Rego. */
import type { Json } from "../../model/plan/json.ts";
import type { JudgeInput, PolicyProblem } from "../../model/policy/evaluator.ts";
import type { PolicySource } from "../../model/policy/policy-source.ts";
import { isJson } from "../../model/kit/exact-json.ts";
import { refusalOf } from "../builtin/builtins.ts";
import type { BuiltinContext } from "../builtin/operands.ts";
import { resourcesOf } from "../document/changed-resource.ts";
import type { PlanDocument } from "../document/plan-document.ts";
import { dialectInput } from "../dialect/dialect-input.ts";
import { readResults } from "../dialect/dialect-results.ts";
import { isFields } from "../dialect/fields.ts";
import { BOUNDS, MIB } from "../kit/bounds.ts";
import { errorText } from "../kit/error-text.ts";
import { EvaluationError, failedReport, type JudgePolicy, type ReportedError } from "../kit/policy-report.ts";
import { Sanitizer } from "../kit/sanitizer.ts";
import { compileModule, type LoadedModule, loadModule } from "./module.ts";

type WasmSource = PolicySource & { language: "REGO_WASM" };

const FILE = "policy.wasm";
const NS_PER_MS = 1_000_000n;

/** Prepares the policies of a module for a document. */
export function prepareWasmPolicies(source: WasmSource, input: JudgeInput, document: PlanDocument): JudgePolicy {
  const { module, problems } = compileModule(source.module);
  if (module === null) throw new EvaluationError("MISSING", problems.join(" "));
  const sanitizer = new Sanitizer(input.documentKey);
  const context: BuiltinContext = { nowNs: BigInt(Date.parse(input.context.holdpoint.at)) * NS_PER_MS, sanitizer };
  const bytes = new TextEncoder().encode(
    JSON.stringify(dialectInput(input.dialect, { context: input.context, document })),
  );
  const addresses = resourcesOf(document.plan).map(({ address }) => address);
  const longestFirst = [...new Set(addresses)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  let loaded: LoadedModule | null = null;

  return (index) => {
    const policy = source.policies[index];
    if (policy === undefined) throw new Error(`There is no policy ${index}`);
    sanitizer.begin();
    try {
      loaded ??= load(module, source.data, context);
      const value = evaluate(loaded, bytes, policy.entrypoint);
      return readResults(value, { dialect: input.dialect, entrypoint: policy.entrypoint, addresses: longestFirst });
    } catch (error) {
      // Its memory may hold half of an evaluation.
      loaded = null;
      return failedReport(toError(error));
    }
  };
}

function load(module: WebAssembly.Module, data: Json, context: BuiltinContext): LoadedModule {
  const loaded = loadModule(module, context);
  const [refusal] = loaded.builtins.flatMap((name) => refusalOf(name) ?? []);
  if (refusal !== undefined) throw new EvaluationError("MISSING", refusal);
  loaded.setData(isFields(data) ? data : {});
  return loaded;
}

/** Gives the value of an entry point; undefined if it has none. */
function evaluate(module: LoadedModule, input: Uint8Array, entrypoint: string): Json | undefined {
  if (!module.entrypoints.includes(entrypoint)) {
    throw new EvaluationError("MISSING", missingEntrypoint(entrypoint, module.entrypoints));
  }
  const results: unknown = JSON.parse(module.evaluate(entrypoint, input));
  const first: unknown = Array.isArray(results) ? results[0] : undefined;
  const value: unknown = typeof first === "object" && first !== null && "result" in first ? first.result : undefined;
  return isJson(value) ? value : undefined;
}

function toError(error: unknown): ReportedError {
  const message = errorText(error);
  const isFull = /opa_malloc|WebAssembly.Memory.grow|allocation failed/i.test(message);
  if (isFull) {
    const limit = `${BOUNDS.moduleMemoryBytes / MIB} MiB`;
    return { kind: "MEMORY", message: `The module used all of its memory; the limit is ${limit}.` };
  }
  if (error instanceof EvaluationError) return { kind: error.kind, message };
  return { kind: "EXPRESSION", message: `The module failed: ${message}.` };
}

/** Lists what is wrong with a module. */
export function checkWasmPolicies({ module: bytes, policies, data }: WasmSource): PolicyProblem[] {
  const { module, problems } = compileModule(bytes);
  if (module === null) return problems.map(toProblem);
  try {
    const { builtins, entrypoints } = loadModule(module, { nowNs: 0n, sanitizer: new Sanitizer(null) });
    const missing = policies.filter(({ entrypoint }) => !entrypoints.includes(entrypoint));
    return [
      ...builtins.flatMap((name) => refusalOf(name) ?? []),
      ...missing.map(({ entrypoint }) => missingEntrypoint(entrypoint, entrypoints)),
      ...(isFields(data) || data === null ? [] : ["The data of the module must be an object."]),
      ...repeated(policies.map(({ name }) => name)),
    ]
      .slice(0, BOUNDS.problems)
      .map(toProblem);
  } catch (error) {
    return [toProblem(`The module cannot be loaded: ${errorText(error)}.`)];
  }
}

function missingEntrypoint(entrypoint: string, entrypoints: readonly string[]): string {
  return `The module has no entry point "${entrypoint}". It has: ${[...entrypoints].sort().join(", ")}.`;
}

function repeated(names: readonly string[]): string[] {
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [...new Set(twice)].map((name) => `Two policies are named "${name}". Give each a name of its own.`);
}

const toProblem = (message: string): PolicyProblem => ({ file: FILE, line: null, column: null, message });

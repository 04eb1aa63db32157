/** Loads modules that OPA compiled, and connects them with the functions of Rego. */
import { BUILTINS, refusalOf } from "../builtin/builtins.ts";
import { type BuiltinContext, UndefinedResult } from "../builtin/operands.ts";
import { fromModuleText } from "../builtin/rego-text.ts";
import { toModuleText } from "../builtin/rego-value.ts";
import { BOUNDS, MIB } from "../kit/bounds.ts";
import { errorText } from "../kit/error-text.ts";
import { EvaluationError } from "../kit/policy-report.ts";
import type { Json } from "../../model/plan/json.ts";

/** A module that is ready to evaluate. */
export interface LoadedModule {
  /** Names of the functions that it asks its host for. */
  builtins: readonly string[];
  entrypoints: readonly string[];
  /** Replaces the data of the policies. */
  setData(data: Json): void;
  /** Evaluates an entry point. Returns the results as JSON. `input` is JSON. */
  evaluate(entrypoint: string, input: Uint8Array): string;
}

const PAGE_BYTES = 64 * 1024;
const LARGEST_PAGES = BOUNDS.moduleMemoryBytes / PAGE_BYTES;
const FIRST_PAGES = 8;
const ABI_VERSION = 1;
/** The version since which one call evaluates. */
const MINOR_WITH_EVAL = 2;

/** Functions that a module may import; OPA's compiler knows no others. */
const FUNCTIONS = new Set([
  "opa_abort",
  "opa_println",
  "opa_builtin0",
  "opa_builtin1",
  "opa_builtin2",
  "opa_builtin3",
  "opa_builtin4",
]);
const EXPORTS = [
  "opa_malloc",
  "opa_json_parse",
  "opa_json_dump",
  "opa_heap_ptr_get",
  "opa_heap_ptr_set",
  "builtins",
  "entrypoints",
  "eval",
];

/** Compiles the bytes of a module, or reports what is wrong with them. */
export function compileModule(bytes: Uint8Array): { module: WebAssembly.Module | null; problems: string[] } {
  if (bytes.byteLength > BOUNDS.moduleBytes) {
    const [size, limit] = [Math.ceil(bytes.byteLength / MIB), BOUNDS.moduleBytes / MIB];
    return { module: null, problems: [`The module has ${size} MiB; at most ${limit} MiB are allowed.`] };
  }
  try {
    const module = new WebAssembly.Module(Uint8Array.from(bytes));
    const problems = [...unknownImports(module), ...missingExports(module)];
    return { module: problems.length === 0 ? module : null, problems };
  } catch (error) {
    return { module: null, problems: [`The file is no WebAssembly module: ${errorText(error)}.`] };
  }
}

function unknownImports(module: WebAssembly.Module): string[] {
  return WebAssembly.Module.imports(module)
    .filter(({ module: from, name, kind }) => {
      if (from !== "env") return true;
      return !(name === "memory" && kind === "memory") && !(FUNCTIONS.has(name) && kind === "function");
    })
    .map(({ module: from, name, kind }) => `The module imports the ${kind} "${from}.${name}", which OPA does not use.`);
}

function missingExports(module: WebAssembly.Module): string[] {
  const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  const missing = EXPORTS.filter((name) => !names.has(name) && !(name === "eval" && names.has("opa_eval")));
  return missing.map((name) => `The module does not export "${name}". Compile it with "opa build -t wasm".`);
}

/** Loads a module. Throws if it cannot be loaded, or needs a function that does not exist. */
export function loadModule(module: WebAssembly.Module, context: BuiltinContext): LoadedModule {
  for (let pages = FIRST_PAGES; ; pages *= 2) {
    try {
      return instantiate(module, new WebAssembly.Memory({ initial: pages, maximum: LARGEST_PAGES }), context);
    } catch (error) {
      // The engine states the size that a module needs in the text of an error alone.
      const needsMore = error instanceof WebAssembly.LinkError && /memory|initial/.test(error.message);
      if (!needsMore || pages * 2 > LARGEST_PAGES) throw error;
    }
  }
}

function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory, context: BuiltinContext): LoadedModule {
  const names = new Map<number, string>();
  const host = createHost(memory, names, context);
  const instance = new WebAssembly.Instance(module, { env: host.functions });
  host.connect(instance);
  const version = globalOf(instance, "opa_wasm_abi_version");
  if (version !== ABI_VERSION)
    throw new EvaluationError("MISSING", `its version of OPA's interface is ${version}, not ${ABI_VERSION}`);
  const isRecent = globalOf(instance, "opa_wasm_abi_minor_version") >= MINOR_WITH_EVAL;
  const builtins = host.readNumbers("builtins");
  for (const [name, id] of Object.entries(builtins)) names.set(id, name);
  const entrypoints = host.readNumbers("entrypoints");
  const firstHeap = host.call("opa_heap_ptr_get");
  let data = host.parse(Buffer.from("{}"));
  let heap = host.call("opa_heap_ptr_get");

  return {
    builtins: Object.keys(builtins),
    entrypoints: Object.keys(entrypoints),
    setData(value) {
      host.call("opa_heap_ptr_set", firstHeap);
      data = host.parse(Buffer.from(JSON.stringify(value)));
      heap = host.call("opa_heap_ptr_get");
    },
    evaluate(entrypoint, input) {
      const entry = entrypoints[entrypoint] ?? 0;
      // Everything behind the data belongs to one evaluation.
      if (isRecent) {
        host.write(input, heap);
        const end = heap + input.byteLength;
        return host.textAt(host.call("opa_eval", 0, entry, data, heap, input.byteLength, end, 0));
      }
      host.call("opa_heap_ptr_set", heap);
      const parsed = host.parse(input);
      const evaluation = host.call("opa_eval_ctx_new");
      host.call("opa_eval_ctx_set_input", evaluation, parsed);
      host.call("opa_eval_ctx_set_data", evaluation, data);
      host.call("opa_eval_ctx_set_entrypoint", evaluation, entry);
      host.call("eval", evaluation);
      return host.textAt(host.call("opa_json_dump", host.call("opa_eval_ctx_get_result", evaluation)));
    },
  };
}

function globalOf(instance: WebAssembly.Instance, name: string): number {
  const exported = instance.exports[name];
  const value: unknown = exported instanceof WebAssembly.Global ? exported.value : 0;
  return typeof value === "number" ? value : 0;
}

/** The half of OPA's interface that a host implements. */
function createHost(memory: WebAssembly.Memory, names: ReadonlyMap<number, string>, context: BuiltinContext) {
  let exported: WebAssembly.Exports = {};

  function call(name: string, ...args: number[]): number {
    const run = exported[name];
    if (typeof run !== "function") throw new Error(`The module does not export "${name}"`);
    return Number(run(...args));
  }

  function textAt(address: number): string {
    const bytes = new Uint8Array(memory.buffer);
    return Buffer.from(memory.buffer, address, bytes.indexOf(0, address) - address).toString("utf8");
  }

  /** Writes behind the end of what the module uses. */
  function write(bytes: Uint8Array, address: number): void {
    const missing = address + bytes.byteLength - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
    new Uint8Array(memory.buffer).set(bytes, address);
  }

  /** Gives a value to the module. Returns its address. */
  function parse(bytes: Uint8Array, parser = "opa_json_parse"): number {
    const text = call("opa_malloc", bytes.byteLength);
    new Uint8Array(memory.buffer).set(bytes, text);
    const address = call(parser, text, bytes.byteLength);
    if (address === 0) throw new EvaluationError("SHAPE", "the module cannot read its input");
    return address;
  }

  const valueParser = (): string => ("opa_value_parse" in exported ? "opa_value_parse" : "opa_json_parse");

  /** Calls a function of Rego. An address of 0 means that it is undefined. */
  function builtin(id: number, ...addresses: number[]): number {
    const name = names.get(id) ?? `number ${id}`;
    const implementation = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
    if (implementation === undefined) throw new EvaluationError("MISSING", refusalOf(name) ?? name);
    const dump = "opa_value_dump" in exported ? "opa_value_dump" : "opa_json_dump";
    const args = addresses.map((address) => fromModuleText(textAt(call(dump, address))));
    try {
      return parse(Buffer.from(toModuleText(implementation(args, context))), valueParser());
    } catch (error) {
      if (error instanceof UndefinedResult) return 0;
      throw error;
    }
  }

  return {
    call,
    textAt,
    write,
    parse,
    functions: {
      memory,
      opa_abort(address: number): never {
        throw new EvaluationError("EXPRESSION", textAt(address));
      },
      opa_println: () => 0,
      opa_builtin0: (id: number, _ctx: number) => builtin(id),
      opa_builtin1: (id: number, _ctx: number, a: number) => builtin(id, a),
      opa_builtin2: (id: number, _ctx: number, a: number, b: number) => builtin(id, a, b),
      opa_builtin3: (id: number, _ctx: number, a: number, b: number, c: number) => builtin(id, a, b, c),
      opa_builtin4: (id: number, _ctx: number, a: number, b: number, c: number, d: number) => builtin(id, a, b, c, d),
    },
    connect(instance: WebAssembly.Instance): void {
      exported = instance.exports;
    },
    /** Reads an object of numbers that a function of the module returns. */
    readNumbers(name: string): { [key: string]: number } {
      const value = fromModuleText(textAt(call("opa_json_dump", call(name))));
      const isRecord = typeof value === "object" && value !== null && !(value instanceof Map);
      const entries = isRecord ? Object.entries(value) : [];
      return Object.fromEntries(entries.map(([key, id]) => [key, Number(id)]));
    },
  };
}

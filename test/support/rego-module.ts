import wabtFactory from "wabt";

/** The work of an entry point. Texts are JSON with sets, as OPA's own modules exchange it. */
export type EntryWork =
  | { result: string }
  /** A function of the host with its arguments; `input` is the input, `now` the result of `time.now_ns`. */
  | { call: string; args: string[] }
  | { abort: string }
  | "undefined"
  | "loop"
  | "grow";

export interface ModuleSpec {
  entrypoints: { [name: string]: EntryWork };
  /** Functions that the module claims to need beside those that it calls. */
  needs?: string[];
  /** Lines of text format that are added to the module. */
  more?: string;
  abiVersion?: number;
}

const NOW = "time.now_ns";
const TEXTS_AT = 1024;
const PAGE_BYTES = 64 * 1024;

/**
 * Builds a module that follows OPA's interface of modules: it imports the memory and the functions, and exports what
 * OPA's compiler does. A value is the address of its text, so that it needs no parser.
 */
export async function regoModule({
  entrypoints,
  needs = [],
  more = "",
  abiVersion = 1,
}: ModuleSpec): Promise<Uint8Array> {
  const texts = createTexts();
  const works = Object.values(entrypoints);
  const called = works.flatMap((work) =>
    typeof work === "object" && "call" in work ? [work.call, ...(work.args.includes("now") ? [NOW] : [])] : [],
  );
  const names = [...new Set([...called, ...needs])];
  const ids = Object.fromEntries(names.map((name, id) => [name, id]));
  const branches = works.map(
    (work, index) => `(if (i32.eq (local.get $entry) (i32.const ${index})) (then ${codeOf(work, ids, texts)}))`,
  );
  const builtins = texts.add(JSON.stringify(ids));
  const entries = texts.add(JSON.stringify(Object.fromEntries(Object.keys(entrypoints).map((name, id) => [name, id]))));
  const [head, tail, empty] = [texts.add('[{"result":'), texts.add("}]"), texts.add("[]")];
  const source = `(module
    (import "env" "memory" (memory PAGES))
    (import "env" "opa_abort" (func $abort (param i32)))
    ${[0, 1, 2, 3, 4].map((count) => `(import "env" "opa_builtin${count}" (func $builtin${count} (param i32 i32${" i32".repeat(count)}) (result i32)))`).join("\n")}
    (global $heap (mut i32) (i32.const HEAP_AT))
    (global (export "opa_wasm_abi_version") i32 (i32.const ${abiVersion}))
    (global (export "opa_wasm_abi_minor_version") i32 (i32.const 3))
    ${more}
    (func $malloc (export "opa_malloc") (param $size i32) (result i32) (local $at i32)
      (local.set $at (global.get $heap))
      (global.set $heap (i32.add (global.get $heap) (local.get $size)))
      (block $fits (loop $more
        (br_if $fits (i32.le_u (global.get $heap) (i32.mul (memory.size) (i32.const 65536))))
        (if (i32.eq (memory.grow (i32.const 16)) (i32.const -1)) (then (call $abort (i32.const ${texts.add("opa_malloc: failed")})) (unreachable)))
        (br $more)))
      (local.get $at))
    (func $length (param $text i32) (result i32) (local $at i32)
      (local.set $at (local.get $text))
      (block $end (loop $next
        (br_if $end (i32.eqz (i32.load8_u (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
      (i32.sub (local.get $at) (local.get $text)))
    (func $parse (param $from i32) (param $size i32) (result i32) (local $to i32)
      (local.set $to (call $malloc (i32.add (local.get $size) (i32.const 1))))
      (memory.copy (local.get $to) (local.get $from) (local.get $size))
      (i32.store8 (i32.add (local.get $to) (local.get $size)) (i32.const 0))
      (local.get $to))
    (export "opa_json_parse" (func $parse)) (export "opa_value_parse" (func $parse))
    (func $dump (param i32) (result i32) (local.get 0))
    (export "opa_json_dump" (func $dump)) (export "opa_value_dump" (func $dump))
    (func (export "opa_heap_ptr_get") (result i32) (global.get $heap))
    (func (export "opa_heap_ptr_set") (param i32) (global.set $heap (local.get 0)))
    (func (export "builtins") (result i32) (i32.const ${builtins}))
    (func (export "entrypoints") (result i32) (i32.const ${entries}))
    (func $join (param $a i32) (param $b i32) (result i32) (local $to i32) (local $size i32)
      (local.set $size (call $length (local.get $a)))
      (local.set $to (call $malloc (i32.add (i32.add (local.get $size) (call $length (local.get $b))) (i32.const 1))))
      (memory.copy (local.get $to) (local.get $a) (local.get $size))
      (memory.copy (i32.add (local.get $to) (local.get $size)) (local.get $b) (i32.add (call $length (local.get $b)) (i32.const 1)))
      (local.get $to))
    (func (export "eval") (param i32) (result i32) (i32.const 0))
    (func (export "opa_eval") (param i32) (param $entry i32) (param i32) (param $inputAt i32) (param $size i32) (param $heapAt i32) (param i32) (result i32)
      (local $input i32) (local $result i32)
      (global.set $heap (local.get $heapAt))
      (local.set $input (call $parse (local.get $inputAt) (local.get $size)))
      ${branches.join("\n")}
      (if (i32.eqz (local.get $result)) (then (return (i32.const ${empty}))))
      (call $join (call $join (i32.const ${head}) (local.get $result)) (i32.const ${tail})))
    (data (i32.const ${TEXTS_AT}) "${texts.bytes()}"))`;
  const wabt = await wabtFactory();
  const heapPages = Math.ceil(texts.end() / PAGE_BYTES);
  const placed = source.replace("HEAP_AT", String(heapPages * PAGE_BYTES)).replace("PAGES", String(heapPages + 1));
  const features = { bulk_memory: true, mutable_globals: true };
  const parsed = wabt.parseWat("policy.wat", placed, features);
  return parsed.toBinary({}).buffer;
}

function codeOf(work: EntryWork, ids: Record<string, number>, texts: ReturnType<typeof createTexts>): string {
  if (work === "undefined") return "";
  if (work === "loop") return "(loop $forever (br $forever))";
  if (work === "grow") return "(loop $forever (drop (call $malloc (i32.const 1000000))) (br $forever))";
  if ("abort" in work) return `(call $abort (i32.const ${texts.add(work.abort)}))`;
  if ("result" in work) return `(local.set $result (i32.const ${texts.add(work.result)}))`;
  const args = work.args.map((arg) => {
    if (arg === "now") return `(call $builtin0 (i32.const ${ids[NOW]}) (i32.const 0))`;
    return arg === "input" ? "(local.get $input)" : `(i32.const ${texts.add(arg)})`;
  });
  return `(local.set $result (call $builtin${args.length} (i32.const ${ids[work.call]}) (i32.const 0) ${args.join(" ")}))`;
}

function createTexts() {
  let bytes = "";
  let next = TEXTS_AT;
  return {
    add(text: string): number {
      const at = next;
      const encoded = [...Buffer.from(`${text}\0`)];
      bytes += encoded.map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("");
      next += encoded.length;
      return at;
    },
    bytes: () => bytes,
    end: () => next,
  };
}

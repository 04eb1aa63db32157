/** Formats texts as `fmt.Sprintf` of Go, with the kinds of arguments that OPA passes: integers, floats and texts. */
import { goQuote } from "./go-quote.ts";
import { arrayAt, type Arguments, stringAt } from "./operands.ts";
import { type RegoValue, writeValue } from "./rego-value.ts";

type Operand = { kind: "int"; value: bigint } | { kind: "float64"; value: number } | { kind: "string"; value: string };

interface Spec {
  flags: string;
  width: number | null;
  precision: number | null;
}

/** Widths and precisions beyond this are errors in Go. */
const LARGEST = 1_000_000;
/** A float with as few digits as it needs has an exponent from here on. */
const SHORTEST_EXPONENT = 6;
const DIRECTIVE = /%([-+# 0]*)(?:\[(\d+)\])?(\*|\d+)?(?:\.(?:\[(\d+)\])?(\*|\d+)?)?(?:\[(\d+)\])?([^\s\S]|.)?/gsu;

export function sprintf(args: Arguments): string {
  const operands = arrayAt(args, 1).map(toOperand);
  let next = 0;
  let hasIndex = false;
  const take = (): Operand | undefined => operands[next++];
  const at = (index: string | undefined): void => {
    if (index === undefined) return;
    next = Number(index) - 1;
    hasIndex = true;
  };
  const size = (text: string | undefined): number | null => {
    if (text !== "*") return text === undefined ? null : Math.min(Number(text), LARGEST);
    const operand = take();
    return operand?.kind === "int" ? Math.min(Number(operand.value), LARGEST) : null;
  };

  const result = stringAt(args, 0).replace(
    DIRECTIVE,
    (
      whole,
      flags: string,
      first?: string,
      width?: string,
      second?: string,
      precision?: string,
      third?: string,
      verb?: string,
    ) => {
      if (verb === undefined) return "%!(NOVERB)";
      at(first);
      const spec: Spec = { flags, width: size(width), precision: null };
      at(second);
      spec.precision = whole.includes(".") ? (size(precision) ?? 0) : null;
      at(third);
      if (spec.width !== null && spec.width < 0) {
        spec.flags += "-";
        spec.width = -spec.width;
      }
      if (verb === "%") return "%";
      const operand = next < 0 ? undefined : take();
      if (operand === undefined) return hasIndex ? `%!${verb}(BADINDEX)` : `%!${verb}(MISSING)`;
      return pad(format(verb, operand, spec), verb, operand, spec);
    },
  );
  const extra = hasIndex ? [] : operands.slice(next);
  if (extra.length === 0) return result;
  return `${result}%!(EXTRA ${extra.map((operand) => `${operand.kind}=${plain(operand)}`).join(", ")})`;
}

function toOperand(value: RegoValue): Operand {
  if (typeof value === "string") return { kind: "string", value };
  if (typeof value === "bigint") return { kind: "int", value };
  if (typeof value !== "number") return { kind: "string", value: writeValue(value, goQuote, ", ", ": ") };
  return Number.isInteger(value) ? { kind: "int", value: BigInt(value) } : { kind: "float64", value };
}

function format(verb: string, operand: Operand, spec: Spec): string {
  if (verb === "v") return verbV(operand, spec);
  if (verb === "T") return operand.kind;
  const text = formatKnown(verb, operand, spec);
  return text ?? `%!${verb}(${operand.kind}=${plain(operand)})`;
}

function formatKnown(verb: string, operand: Operand, spec: Spec): string | null {
  switch (operand.kind) {
    case "string":
      return formatString(verb, operand.value, spec);
    case "int":
      return formatInteger(verb, operand.value, spec);
    case "float64":
      return formatFloat(verb, operand.value, spec);
  }
}

function verbV(operand: Operand, spec: Spec): string {
  if (operand.kind === "string") {
    return spec.flags.includes("#") ? goQuote(operand.value) : cut(operand.value, spec);
  }
  return operand.kind === "int" ? signed(String(operand.value), spec) : (formatFloat("v", operand.value, spec) ?? "");
}

const plain = (operand: Operand): string => verbV(operand, { flags: "", width: null, precision: null });

function formatString(verb: string, value: string, spec: Spec): string | null {
  switch (verb) {
    case "s":
      return cut(value, spec);
    case "q":
      if (spec.flags.includes("#") && !value.includes("`") && !/[\p{Cc}\ufeff]/u.test(value))
        return `\`${cut(value, spec)}\``;
      return goQuote(cut(value, spec), { isAscii: spec.flags.includes("+") });
    case "x":
    case "X": {
      const bytes = Buffer.from(value).toString("hex");
      const spaced = spec.flags.includes(" ") ? bytes.replaceAll(/..(?=.)/g, "$& ") : bytes;
      const prefixed = spec.flags.includes("#") && spaced !== "" ? `0x${spaced}` : spaced;
      return verb === "X" ? prefixed.toUpperCase() : prefixed;
    }
    default:
      return null;
  }
}

const cut = (value: string, { precision }: Spec): string =>
  precision === null ? value : Array.from(value).slice(0, precision).join("");

const BASES: Readonly<Record<string, readonly [base: number, prefix: string]>> = {
  b: [2, "0b"],
  o: [8, "0"],
  O: [8, ""],
  d: [10, ""],
  x: [16, "0x"],
  X: [16, "0X"],
};

function formatInteger(verb: string, value: bigint, spec: Spec): string | null {
  const base = BASES[verb];
  if (base !== undefined) {
    const digits = (value < 0n ? -value : value).toString(base[0]).padStart(spec.precision ?? 0, "0");
    const prefix = verb === "O" ? "0o" : spec.flags.includes("#") ? base[1] : "";
    return signed((value < 0n ? "-" : "") + prefix + (verb === "X" ? digits.toUpperCase() : digits), spec);
  }
  const code = value >= 0n && value <= 0x10ffffn ? Number(value) : 0xfffd;
  switch (verb) {
    case "c":
      return String.fromCodePoint(code);
    case "q":
      return goQuote(String.fromCodePoint(code), { quote: "'", isAscii: spec.flags.includes("+") });
    case "s":
      // An integer beyond 64 bits formats itself.
      return BigInt.asIntN(64, value) === value ? null : String(value);
    case "U":
      return `U+${value.toString(16).toUpperCase().padStart(4, "0")}`;
    default:
      return null;
  }
}

function formatFloat(verb: string, value: number, spec: Spec): string | null {
  const { precision } = spec;
  switch (verb) {
    case "f":
    case "F":
      return signed(value.toFixed(Math.min(precision ?? 6, 100)), spec);
    case "e":
    case "E": {
      const text = twoDigits(value.toExponential(Math.min(precision ?? 6, 100)));
      return signed(verb === "E" ? text.toUpperCase() : text, spec);
    }
    case "v":
    case "g":
    case "G": {
      const text = general(value, precision);
      return signed(verb === "G" ? text.toUpperCase() : text, spec);
    }
    default:
      return null;
  }
}

/** Shows a float with as few digits as it needs, with an exponent if that is small or large. */
function general(value: number, precision: number | null): string {
  const digits = precision === null ? null : Math.min(Math.max(precision, 1), 100);
  const exponential = digits === null ? value.toExponential() : value.toExponential(digits - 1);
  const exponent = Number(exponential.split("e")[1]);
  if (exponent < -4 || exponent >= (digits ?? SHORTEST_EXPONENT))
    return twoDigits(exponential.replace(/\.?0+(?=e)/, ""));
  if (digits === null) return value.toFixed(Math.max(0, fractionOf(exponential) - exponent));
  const fixed = value.toFixed(Math.max(0, digits - 1 - exponent));
  return fixed.includes(".") ? fixed.replace(/\.?0+$/, "") : fixed;
}

const fractionOf = (exponential: string): number => exponential.split("e")[0]?.split(".")[1]?.length ?? 0;

/** Go shows exponents with two digits at least. */
const twoDigits = (text: string): string => text.replace(/e([+-])(\d)$/, "e$10$2");

function signed(text: string, { flags }: Spec): string {
  if (text.startsWith("-")) return text;
  return flags.includes("+") ? `+${text}` : flags.includes(" ") ? ` ${text}` : text;
}

function pad(text: string, verb: string, operand: Operand, { flags, width, precision }: Spec): string {
  const missing = (width ?? 0) - Array.from(text).length;
  if (missing <= 0) return text;
  if (flags.includes("-")) return text + " ".repeat(missing);
  const isNumber = operand.kind !== "string" && verb !== "c" && verb !== "q" && verb !== "U";
  if (!flags.includes("0") || !isNumber || (operand.kind === "int" && precision !== null)) {
    return " ".repeat(missing) + text;
  }
  const sign = /^[+ -]/.exec(text)?.[0] ?? "";
  return sign + "0".repeat(missing) + text.slice(sign.length);
}

/** Functions about texts, numbers, units and versions. */
import {
  type Arguments,
  type Builtins,
  integerAt,
  numberAt,
  stringAt,
  stringsAt,
  undefinedResult,
} from "./operands.ts";
import type { RegoValue } from "./rego-value.ts";
import { sprintf } from "./sprintf.ts";
import { toNumber } from "./time.ts";

function indexesOf(args: Arguments): RegoValue {
  const [text, search] = [Array.from(stringAt(args, 0)), Array.from(stringAt(args, 1))];
  if (search.length === 0) throw undefinedResult("empty search character");
  return text.flatMap((_, index) => (search.every((one, offset) => text[index + offset] === one) ? [index] : []));
}

function count(args: Arguments): number {
  const [text, search] = [stringAt(args, 0), stringAt(args, 1)];
  return search === "" ? Array.from(text).length + 1 : text.split(search).length - 1;
}

const FACTORS: ReadonlyMap<string, bigint> = new Map(
  Object.entries({
    "": 1n,
    k: 10n ** 3n,
    m: 10n ** 6n,
    g: 10n ** 9n,
    t: 10n ** 12n,
    p: 10n ** 15n,
    e: 10n ** 18n,
    ki: 2n ** 10n,
    mi: 2n ** 20n,
    gi: 2n ** 30n,
    ti: 2n ** 40n,
    pi: 2n ** 50n,
    ei: 2n ** 60n,
  }),
);

/** A decimal number as an integer and a power of ten that divides it. */
interface Decimal {
  digits: bigint;
  scale: bigint;
}

/** Splits an amount, such as `1.5Gi`, into its number and its unit. */
function amountOf(text: string): { decimal: Decimal; unit: string } {
  const bare = text.replaceAll('"', "");
  const [, sign = "", whole = "", fraction = "", exponent = "0", unit = ""] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,6}))?([A-Za-z]*)$/.exec(bare) ?? [];
  if (whole + fraction === "") throw undefinedResult("no amount provided");
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  const power = Number(exponent) - fraction.length;
  if (Math.abs(power) > 1000) throw undefinedResult("exponent too large");
  return {
    decimal: { digits: power > 0 ? digits * 10n ** BigInt(power) : digits, scale: 10n ** BigInt(Math.max(0, -power)) },
    unit,
  };
}

function factorOf(unit: string): bigint {
  const factor = FACTORS.get(unit.toLowerCase());
  if (factor === undefined) throw undefinedResult(`unit ${unit} not recognized`);
  return factor;
}

function parseUnits(args: Arguments): RegoValue {
  const { decimal, unit } = amountOf(stringAt(args, 0));
  const isMilli = unit === "m";
  const digits = decimal.digits * (isMilli ? 1n : factorOf(unit));
  const scale = decimal.scale * (isMilli ? 1000n : 1n);
  if (digits % scale === 0n) return toNumber(digits / scale);
  return Number((Number((digits * 10n ** 12n) / scale) / 1e12).toFixed(10));
}

function parseBytes(args: Arguments): RegoValue {
  const { decimal, unit } = amountOf(stringAt(args, 0));
  const bare = unit.toLowerCase().replace(/(?<=.)b$/, "");
  return toNumber((decimal.digits * factorOf(bare)) / decimal.scale);
}

const VERSION =
  /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

function versionOf(text: string): { numbers: bigint[]; pre: string[] } {
  const [, major, minor, patch, pre = ""] = VERSION.exec(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) throw undefinedResult("not a version");
  return { numbers: [major, minor, patch].map(BigInt), pre: pre === "" ? [] : pre.split(".") };
}

function compareVersions(args: Arguments): number {
  const [a, b] = [versionOf(stringAt(args, 0)), versionOf(stringAt(args, 1))];
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length - a.pre.length);
  for (const [index, part] of a.pre.entries()) {
    const order = comparePart(part, b.pre[index]);
    if (order !== 0) return order;
  }
  return Math.sign(a.pre.length - b.pre.length);
}

function comparePart(a: string, b: string | undefined): number {
  if (b === undefined) return 1;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return Number(BigInt(a) > BigInt(b)) - Number(BigInt(a) < BigInt(b));
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}

function range(args: Arguments): RegoValue {
  const [from, to, step] = [numberAt(args, 0), numberAt(args, 1), integerAt(args, 2)].map(Number);
  if (from === undefined || to === undefined || step === undefined || step <= 0) {
    throw undefinedResult("step must be a positive number above zero");
  }
  const length = Math.floor(Math.abs(to - from) / step) + 1;
  return Array.from({ length }, (_, index) => from + index * (to < from ? -step : step));
}

const VERSIONS: Builtins = {
  "semver.compare": compareVersions,
  "semver.is_valid": ([text]) => typeof text === "string" && VERSION.test(text),
};

export const STRINGS: Builtins = {
  ...VERSIONS,
  sprintf,
  indexof_n: indexesOf,
  "strings.count": count,
  "strings.reverse": (args) => Array.from(stringAt(args, 0)).reverse().join(""),
  "strings.any_prefix_match": (args) => {
    const prefixes = stringsAt(args, 1);
    return stringsAt(args, 0).some((text) => prefixes.some((prefix) => text.startsWith(prefix)));
  },
  "strings.any_suffix_match": (args) => {
    const suffixes = stringsAt(args, 1);
    return stringsAt(args, 0).some((text) => suffixes.some((suffix) => text.endsWith(suffix)));
  },
  "units.parse": parseUnits,
  "units.parse_bytes": parseBytes,
  "numbers.range_step": range,
};

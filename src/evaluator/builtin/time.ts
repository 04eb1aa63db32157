/** Functions about instants. The clock of a judgement does not move. */
import { LRUCache } from "lru-cache";
import { formatTime, parseTime, WEEKDAYS, type ZonedTime } from "./go-layout.ts";
import { type Arguments, type Builtins, integerAt, stringAt, undefinedResult } from "./operands.ts";
import { isArray, type RegoValue } from "./rego-value.ts";

const NS_PER_MS = 1_000_000n;
const NS_PER_SECOND = 1_000_000_000n;
const LARGEST_NS = 2n ** 63n - 1n;

/** Gives an integer as a number if a double holds it. */
export function toNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function toNs(value: bigint): RegoValue {
  if (value > LARGEST_NS || value < -LARGEST_NS - 1n) throw undefinedResult("time outside of valid range");
  return toNumber(value);
}

interface Operand {
  ns: bigint;
  zone: string;
  layout: string;
}

/** Reads `ns`, `[ns, zone]` or `[ns, zone, layout]`. */
function operandAt(args: Arguments, index: number): Operand {
  const value = args[index];
  const [ns, zone = "UTC", layout = ""] = isArray(value) ? value : [value];
  if (typeof ns !== "number" && typeof ns !== "bigint") throw undefinedResult("an instant must be a number");
  if (typeof ns === "number" && !Number.isInteger(ns)) throw undefinedResult("timestamp too big");
  if (typeof zone !== "string" || typeof layout !== "string") throw undefinedResult("zone and layout must be strings");
  return { ns: BigInt(ns), zone: zone === "" || zone === "Local" ? "UTC" : zone, layout };
}

/** The forms in which the platform shows a zone: `GMT-05:00`, and `EST`. */
type ZoneForm = "longOffset" | "short";

/** A format takes some 45 µs to make, and 12 µs to use. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

function formatOf(zone: string, form: ZoneForm): Intl.DateTimeFormat {
  const key = `${form} ${zone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: form });
    formats.set(key, format);
    return format;
  } catch {
    throw undefinedResult(`unknown time zone ${zone}`);
  }
}

/** Gives the name of a zone at an instant. */
function zoneName(ms: number, zone: string, form: ZoneForm): string {
  const parts = formatOf(zone, form).formatToParts(ms);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

function offsetMinutes(ms: number, zone: string): number {
  if (zone === "UTC") return 0;
  const name = zoneName(ms, zone, "longOffset");
  const [, sign, hours = "0", minutes = "0"] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
}

function abbreviation(ms: number, zone: string): string {
  if (zone === "UTC") return "UTC";
  // Where there is no abbreviation, Go shows the offset.
  return zoneName(ms, zone, "short").replace(
    /^GMT([+-])(\d+)(?::(\d+))?$/,
    (_, sign: string, hours: string, minutes: string | undefined) => `${sign}${hours.padStart(2, "0")}${minutes ?? ""}`,
  );
}

function zoned({ ns, zone }: Operand): ZonedTime {
  const remainder = ((ns % NS_PER_SECOND) + NS_PER_SECOND) % NS_PER_SECOND;
  const ms = Number((ns - remainder) / NS_PER_MS);
  const minutes = offsetMinutes(ms, zone);
  const local = new Date(ms + minutes * 60_000);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    nanosecond: Number(remainder),
    weekday: local.getUTCDay(),
    offsetMinutes: minutes,
    zone: abbreviation(ms, zone),
  };
}

function formatAt(args: Arguments): string {
  const operand = operandAt(args, 0);
  const layout = operand.layout === "" ? "RFC3339Nano" : operand.layout;
  return formatTime(zoned(operand), layout);
}

function parsedNs(layout: string, text: string): RegoValue {
  const ns = parseTime(layout, text);
  if (ns === null) throw undefinedResult("the text does not match the layout");
  return toNs(ns);
}

/** Adds to the calendar; days beyond the end of a month belong to the next. */
function addDate(args: Arguments): RegoValue {
  const operand = operandAt(args, 0);
  const [years, months, days] = [integerAt(args, 1), integerAt(args, 2), integerAt(args, 3)];
  const time = zoned(operand);
  const local = new Date(0);
  local.setUTCFullYear(time.year + years, time.month - 1 + months, time.day + days);
  local.setUTCHours(time.hour, time.minute, time.second);
  const offset = offsetMinutes(local.getTime() - time.offsetMinutes * 60_000, operand.zone);
  return toNs(BigInt(local.getTime() - offset * 60_000) * NS_PER_MS + BigInt(time.nanosecond));
}

/** Gives the difference in years, months, days, hours, minutes and seconds. */
function difference(args: Arguments): RegoValue {
  const a = operandAt(args, 0);
  const b = { ...operandAt(args, 1), zone: a.zone };
  const [from, to] = a.ns > b.ns ? [zoned(b), zoned(a)] : [zoned(a), zoned(b)];
  let [years, months, days] = [to.year - from.year, to.month - from.month, to.day - from.day];
  let [hours, minutes, seconds] = [to.hour - from.hour, to.minute - from.minute, to.second - from.second];
  if (seconds < 0) [seconds, minutes] = [seconds + 60, minutes - 1];
  if (minutes < 0) [minutes, hours] = [minutes + 60, hours - 1];
  if (hours < 0) [hours, days] = [hours + 24, days - 1];
  if (days < 0) [days, months] = [days + new Date(Date.UTC(from.year, from.month, 0)).getUTCDate(), months - 1];
  if (months < 0) [months, years] = [months + 12, years - 1];
  return [years, months, days, hours, minutes, seconds];
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: NS_PER_MS,
  s: NS_PER_SECOND,
  m: 60n * NS_PER_SECOND,
  h: 3600n * NS_PER_SECOND,
};

function parseDuration(text: string): RegoValue {
  const [, sign = "", rest = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === "0") return 0;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) throw undefinedResult("not a duration");
  let total = 0n;
  for (const [, whole = "", part = "", unit = ""] of rest.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const scale = UNITS[unit] ?? 0n;
    total += BigInt(whole === "" ? "0" : whole) * scale;
    if (part !== "") total += (BigInt(part) * scale) / 10n ** BigInt(part.length);
  }
  return toNs(sign === "-" ? -total : total);
}

export const TIME: Builtins = {
  "time.now_ns": (_, { nowNs }) => toNs(nowNs),
  "time.parse_ns": (args) => parsedNs(stringAt(args, 0), stringAt(args, 1)),
  "time.parse_rfc3339_ns": (args) => parsedNs("RFC3339", stringAt(args, 0)),
  "time.parse_duration_ns": (args) => parseDuration(stringAt(args, 0)),
  "time.format": formatAt,
  "time.date": (args) => {
    const { year, month, day } = zoned(operandAt(args, 0));
    return [year, month, day];
  },
  "time.clock": (args) => {
    const { hour, minute, second } = zoned(operandAt(args, 0));
    return [hour, minute, second];
  },
  "time.weekday": (args) => WEEKDAYS[zoned(operandAt(args, 0)).weekday] ?? null,
  "time.add_date": addDate,
  "time.diff": difference,
};

/** Formats and parses instants by the layouts of Go, which show the reference time Mon Jan 2 15:04:05 MST 2006. */

/** An instant with its place on the calendar of a time zone. */
export interface ZonedTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  /** 0 is Sunday. */
  weekday: number;
  offsetMinutes: number;
  zone: string;
}

const MONTHS = "January February March April May June July August September October November December".split(" ");
export const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

const TOKEN =
  /January|Jan|Monday|Mon|MST|2006|__2|_2|002|01|02|03|04|05|06|Z07:00:00|Z070000|Z07:00|Z0700|Z07|-07:00:00|-070000|-07:00|-0700|-07|15|PM|pm|[.,]0+(?!\d)|[.,]9+(?!\d)|1|2|3|4|5/g;

/** Layouts that have names. */
const LAYOUTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ANSIC: "Mon Jan _2 15:04:05 2006",
    UnixDate: "Mon Jan _2 15:04:05 MST 2006",
    RubyDate: "Mon Jan 02 15:04:05 -0700 2006",
    RFC822: "02 Jan 06 15:04 MST",
    RFC822Z: "02 Jan 06 15:04 -0700",
    RFC850: "Monday, 02-Jan-06 15:04:05 MST",
    RFC1123: "Mon, 02 Jan 2006 15:04:05 MST",
    RFC1123Z: "Mon, 02 Jan 2006 15:04:05 -0700",
    RFC3339: "2006-01-02T15:04:05Z07:00",
    RFC3339Nano: "2006-01-02T15:04:05.999999999Z07:00",
  }),
);

const pad = (value: number, length: number, fill = "0"): string => String(value).padStart(length, fill);

/** Formats an instant by a layout, or by the name of one. */
export function formatTime(time: ZonedTime, layout: string): string {
  return (LAYOUTS.get(layout) ?? layout).replaceAll(TOKEN, (token) => formatToken(time, token));
}

function formatToken(time: ZonedTime, token: string): string {
  switch (token) {
    case "January":
      return MONTHS[time.month - 1] ?? "";
    case "Jan":
      return MONTHS[time.month - 1]?.slice(0, 3) ?? "";
    case "Monday":
      return WEEKDAYS[time.weekday] ?? "";
    case "Mon":
      return WEEKDAYS[time.weekday]?.slice(0, 3) ?? "";
    case "MST":
      return time.zone;
    case "2006":
      return pad(time.year, 4);
    case "06":
      return pad(time.year % 100, 2);
    case "01":
      return pad(time.month, 2);
    case "1":
      return String(time.month);
    case "02":
      return pad(time.day, 2);
    case "_2":
      return pad(time.day, 2, " ");
    case "2":
      return String(time.day);
    case "002":
      return pad(dayOfYear(time), 3);
    case "__2":
      return pad(dayOfYear(time), 3, " ");
    case "15":
      return pad(time.hour, 2);
    case "03":
      return pad(time.hour % 12 || 12, 2);
    case "3":
      return String(time.hour % 12 || 12);
    case "04":
      return pad(time.minute, 2);
    case "4":
      return String(time.minute);
    case "05":
      return pad(time.second, 2);
    case "5":
      return String(time.second);
    case "PM":
      return time.hour < 12 ? "AM" : "PM";
    case "pm":
      return time.hour < 12 ? "am" : "pm";
    default:
      return /^[.,]/.test(token) ? fraction(time.nanosecond, token) : offset(time.offsetMinutes, token);
  }
}

function dayOfYear({ year, month, day }: ZonedTime): number {
  return Math.round((Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 1)) / 86_400_000) + 1;
}

function fraction(nanosecond: number, token: string): string {
  const digits = pad(nanosecond, 9).slice(0, token.length - 1);
  if (token.charAt(1) === "0") return token.charAt(0) + digits;
  const shown = digits.replace(/0+$/, "");
  return shown === "" ? "" : token.charAt(0) + shown;
}

function offset(minutes: number, token: string): string {
  if (token.startsWith("Z") && minutes === 0) return "Z";
  const sign = minutes < 0 ? "-" : "+";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const separator = token.includes(":") ? ":" : "";
  const parts = [pad(hours, 2), ...(token.length > 3 ? [pad(rest, 2)] : []), ...(/00.*00/.test(token) ? ["00"] : [])];
  return sign + parts.join(separator);
}

const oneOf = (names: readonly string[], length?: number): string =>
  `(${names.map((name) => name.slice(0, length)).join("|")})`;
/** Patterns of tokens; `partOf` has those of the others. */
const PARTS: Readonly<Record<string, string>> = {
  January: oneOf(MONTHS),
  Jan: oneOf(MONTHS, 3),
  Monday: oneOf(WEEKDAYS),
  Mon: oneOf(WEEKDAYS, 3),
  MST: "([A-Z]{3,5}|[+-]\\d{2})",
  "2006": "(\\d{4})",
  PM: "(AM|PM)",
  pm: "(am|pm)",
  "002": "(\\d{3})",
  __2: "([ \\d]{3})",
  _2: "( ?\\d{1,2})",
};

/** Parses a text by a layout, or by the name of one. Returns nanoseconds since 1970; `null` if the text does not match. */
export function parseTime(named: string, text: string): bigint | null {
  const layout = LAYOUTS.get(named) ?? named;
  const tokens: string[] = [];
  let pattern = "";
  let end = 0;
  for (const match of layout.matchAll(TOKEN)) {
    pattern += RegExp.escape(layout.slice(end, match.index)) + partOf(match[0]);
    tokens.push(match[0]);
    end = match.index + match[0].length;
  }
  pattern += RegExp.escape(layout.slice(end));
  const found = new RegExp(`^${pattern}$`, "i").exec(text);
  if (found === null) return null;
  return assemble(
    tokens,
    found.slice(1).map((part) => part ?? ""),
  );
}

function partOf(token: string): string {
  const known = PARTS[token];
  if (known !== undefined) return known;
  if (/^[.,]0/.test(token)) return `[.,](\\d{${token.length - 1}})`;
  if (/^[.,]9/.test(token)) return "(?:[.,](\\d+))?";
  if (token.startsWith("Z")) return "(Z|[+-]\\d{2}:?(?:\\d{2}:?){0,2})";
  if (token.startsWith("-")) return "([+-]\\d{2}:?(?:\\d{2}:?){0,2})";
  // A fraction may follow the seconds, though the layout has none.
  if (token === "05" || token === "5") return "(\\d{1,2}(?:[.,]\\d+)?)";
  return token.length === 2 ? "(\\d{2})" : "(\\d{1,2})";
}

/** The parts of an instant, as far as they were read. */
interface Parsed extends Omit<ZonedTime, "weekday" | "zone"> {
  isAfternoon: boolean | null;
  dayOfYear: number | null;
}

function assemble(tokens: readonly string[], parts: readonly string[]): bigint | null {
  const time: Parsed = {
    year: 0,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    nanosecond: 0,
    offsetMinutes: 0,
    isAfternoon: null,
    dayOfYear: null,
  };
  for (const [index, token] of tokens.entries()) take(time, token, parts[index] ?? "");
  if (time.isAfternoon !== null) {
    if (time.hour > 12) return null;
    time.hour = (time.hour % 12) + (time.isAfternoon ? 12 : 0);
  }
  const days = time.dayOfYear === null ? daysIn(time.year, time.month) : 31;
  const isDate = time.month >= 1 && time.month <= 12 && time.day >= 1 && time.day <= days;
  if (!isDate || time.hour > 23 || time.minute > 59 || time.second > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(time.year, time.dayOfYear === null ? time.month - 1 : 0, time.dayOfYear ?? time.day);
  date.setUTCHours(time.hour, time.minute, time.second);
  return (BigInt(date.getTime()) - BigInt(time.offsetMinutes) * 60_000n) * 1_000_000n + BigInt(time.nanosecond);
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

const indexOf = (names: readonly string[], part: string): number =>
  names.findIndex((name) => name.toLowerCase().startsWith(part.toLowerCase()));

function take(time: Parsed, token: string, part: string): void {
  const value = Number(part);
  if (token === "2006") time.year = value;
  else if (token === "06") time.year = value + (value >= 69 ? 1900 : 2000);
  else if (token === "01" || token === "1") time.month = value;
  else if (token.startsWith("Jan")) time.month = indexOf(MONTHS, part) + 1;
  else if (token === "02" || token === "2" || token === "_2") time.day = value;
  else if (token === "002" || token === "__2") time.dayOfYear = value;
  else if (token === "15" || token === "03" || token === "3") time.hour = value;
  else if (token === "04" || token === "4") time.minute = value;
  else if (token === "05" || token === "5") {
    const [second = "0", rest = ""] = part.split(/[.,]/);
    time.second = Number(second);
    if (rest !== "") time.nanosecond = nanosecondsOf(rest);
  } else if (token === "PM" || token === "pm") time.isAfternoon = part.toLowerCase() === "pm";
  else if (/^[.,]/.test(token)) time.nanosecond = nanosecondsOf(part);
  else if (/^(?:Z|-)/.test(token)) time.offsetMinutes = offsetOf(part);
}

const nanosecondsOf = (digits: string): number => Number(digits.slice(0, 9).padEnd(9, "0"));

function offsetOf(part: string): number {
  if (part.toUpperCase() === "Z") return 0;
  const digits = part.replaceAll(/\D/g, "");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4));
  return part.startsWith("-") ? -minutes : minutes;
}

/** The monthly cost of a plan, as a tool estimates it. Holdpoint has no prices of its own. */
import { isRecord } from "../kit/is-record.ts";
import { storable } from "../kit/storable.ts";

/** The cost of one resource. Amounts are decimal numbers as texts: a double would round them. */
export interface ResourceCost {
  address: string;
  monthlyBefore: string;
  monthlyAfter: string;
}

export interface CostEstimate {
  /** The code of ISO 4217. */
  currency: string;
  monthlyBefore: string;
  monthlyAfter: string;
  monthlyDelta: string;
  /** The tool. */
  source: string;
  /** The resources with the largest changes of cost, at most 100. */
  resources: ResourceCost[];
  /** Resources without a price: their cost is not in the amounts. */
  unsupported: number;
}

/** Resources of an estimate that are kept. */
const COSTED_RESOURCES = 100;

const ADDRESS_LENGTH = 1024;
const AMOUNT = /^-?\d{1,24}(?:\.\d{1,30})?$/;
const CURRENCY = /^[A-Z]{3}$/;

/**
 * Reads the JSON of `infracost breakdown` or `infracost diff`: the sums of its projects. `null` if the value is no such
 * JSON; an amount that is missing counts as zero where its project has another one.
 */
export function readInfracost(value: unknown): CostEstimate | null {
  if (!isRecord(value) || !Array.isArray(value["projects"]) || value["projects"].length === 0) return null;
  const currency = value["currency"] ?? "USD";
  if (typeof currency !== "string" || !CURRENCY.test(currency)) return null;
  const sums = { before: 0n, after: 0n, delta: 0n };
  const resources = new Map<string, { before: bigint; after: bigint }>();
  for (const project of value["projects"]) {
    const amounts = amountsOf(project);
    if (amounts === null) return null;
    sums.before += amounts.before;
    sums.after += amounts.after;
    sums.delta += amounts.delta;
    takeResources(project, resources);
  }
  return {
    currency,
    monthlyBefore: writeAmount(sums.before),
    monthlyAfter: writeAmount(sums.after),
    monthlyDelta: writeAmount(sums.delta),
    source: "infracost",
    resources: largest(resources),
    unsupported: unsupportedOf(value),
  };
}

interface Amounts {
  before: bigint;
  after: bigint;
  delta: bigint;
}

/** Reads the amounts of a project; `null` if it has none, or one that is no number. */
function amountsOf(project: unknown): Amounts | null {
  if (!isRecord(project)) return null;
  const [past, now, diff] = ["pastBreakdown", "breakdown", "diff"].map((part) => totalOf(project[part]));
  if (past === undefined || now === undefined || diff === undefined) return null;
  if (now === null && diff === null && past === null) return null;
  const after = now ?? (past ?? 0n) + (diff ?? 0n);
  // Without anything to compare with, all of it counts as added: a limit of added cost must not miss it.
  const before = past ?? after - (diff ?? after);
  return { before, after, delta: after - before };
}

/** Reads the total of a breakdown; `null` if there is none, `undefined` if it is no number. */
function totalOf(breakdown: unknown): bigint | null | undefined {
  const total = isRecord(breakdown) ? breakdown["totalMonthlyCost"] : null;
  return total === null || total === undefined || total === "" ? null : readAmount(total);
}

/** Amounts are counted in 10^-SCALE of the currency. */
const SCALE = 30;
const ONE = 10n ** BigInt(SCALE);
/** The digits after the point that are shown. */
const SHOWN = 10;

function readAmount(value: unknown): bigint | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !AMOUNT.test(text)) return undefined;
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const amount = BigInt(whole) * ONE + BigInt(fraction.padEnd(SCALE, "0"));
  return text.startsWith("-") ? -amount : amount;
}

/** Rounds half up, away from zero, and leaves out zeros at the end; two digits stay. */
function writeAmount(amount: bigint): string {
  const unit = 10n ** BigInt(SCALE - SHOWN);
  const isNegative = amount < 0n;
  const rounded = ((isNegative ? -amount : amount) + unit / 2n) / unit;
  const digits = String(rounded).padStart(SHOWN + 1, "0");
  const fraction = digits.slice(-SHOWN).replace(/0+$/, "").padEnd(2, "0");
  return `${isNegative && rounded > 0n ? "-" : ""}${digits.slice(0, -SHOWN)}.${fraction}`;
}

function takeResources(project: unknown, into: Map<string, { before: bigint; after: bigint }>): void {
  if (!isRecord(project)) return;
  for (const [part, side] of [["pastBreakdown", "before"] as const, ["breakdown", "after"] as const]) {
    const breakdown = project[part];
    const listed = isRecord(breakdown) ? breakdown["resources"] : null;
    if (!Array.isArray(listed)) continue;
    for (const resource of listed) {
      if (!isRecord(resource) || typeof resource["name"] !== "string") continue;
      const cost = readAmount(resource["monthlyCost"]);
      if (cost === undefined) continue;
      const address = resource["name"].slice(0, ADDRESS_LENGTH);
      const known = into.get(address) ?? { before: 0n, after: 0n };
      known[side] += cost;
      into.set(address, known);
    }
  }
}

function largest(resources: ReadonlyMap<string, { before: bigint; after: bigint }>): ResourceCost[] {
  const size = ({ before, after }: { before: bigint; after: bigint }): bigint =>
    after > before ? after - before : before - after;
  return [...resources]
    .toSorted(
      ([nameOfA, a], [nameOfB, b]) =>
        Number(size(b) > size(a)) - Number(size(b) < size(a)) || (nameOfA < nameOfB ? -1 : 1),
    )
    .slice(0, COSTED_RESOURCES)
    .map(([address, { before, after }]) => ({
      address: storable(address),
      monthlyBefore: writeAmount(before),
      monthlyAfter: writeAmount(after),
    }));
}

function unsupportedOf({ summary }: Record<string, unknown>): number {
  const count = isRecord(summary) ? summary["totalUnsupportedResources"] : 0;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 && count < 2 ** 31 ? count : 0;
}

import type { Figure, Target } from "../part.ts";

/** Formats a number with three meaningful digits and commas between thousands: 12,345, 43.2, 0.917. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.995 || size === 0 ? 2 : 3;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** Median, and the smallest and the largest behind it. */
export function formatFigure({ median, min, max, unit }: Figure): string {
  const spread = min === max ? "" : ` (${formatNumber(min)}–${formatNumber(max)})`;
  return `${formatNumber(median)}${unit === "" ? "" : ` ${unit}`}${spread}`;
}

export function formatCell(cell: string | Figure): string {
  return typeof cell === "string" ? cell : formatFigure(cell);
}

export function formatBound({ bound, ratio: { unit } }: Target): string {
  const text = "atLeast" in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
  return unit === "" ? text : `${text} ${unit}`;
}

/** By the median. */
export function isReached({ bound, ratio }: Target): boolean {
  return "atLeast" in bound ? ratio.median >= bound.atLeast : ratio.median <= bound.atMost;
}

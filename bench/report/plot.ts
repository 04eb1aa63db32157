/** Bars with the spread as a whisker, readable on light and on dark ground. */
import type { Plot } from "../part.ts";
import { formatFigure } from "./format.ts";

const WIDTH = 820;
/** Labels have a column of their own: about as wide as the longest, in the bold that ours have. */
const LEAST_LABEL_WIDTH = 250;
const CHARACTER_WIDTH = 8.2;
const FIGURE_WIDTH = 240;
const TOP = 52;
const ROW = 34;
const BAR = 20;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 15px; }
  .note { fill: #59636e; font-size: 12px; }
  .bar { fill: #8c959f; }
  .ours { fill: #0f766e; }
  .ours-label { font-weight: 600; }
  .whisker { stroke: #1f2328; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .note { fill: #9198a1; }
    .bar { fill: #656c76; }
    .ours { fill: #2dd4bf; }
    .whisker { stroke: #f0f6fc; }
  }`;

export function plotSvg({ title, unit, bars }: Plot): string {
  const largest = Math.max(...bars.map(({ figure }) => figure.max).filter(Number.isFinite), Number.MIN_VALUE);
  const height = TOP + bars.length * ROW + 8;
  const longest = Math.max(...bars.map(({ label }) => label.length), 0);
  const left = Math.max(LEAST_LABEL_WIDTH, Math.ceil(longest * CHARACTER_WIDTH));
  const scale = { left, perUnit: (WIDTH - left - FIGURE_WIDTH) / largest };
  const rows = bars.map((bar, index) => barRow(bar, TOP + index * ROW, scale));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(title)}">`,
    `<style>${STYLE}\n</style>`,
    `<text class="title" x="0" y="18">${escape(title)}</text>`,
    `<text class="note" x="0" y="37">${escape(unit)}; the line shows the smallest and the largest round</text>`,
    ...rows,
    "</svg>\n",
  ].join("\n");
}

interface Scale {
  /** Where bars begin. */
  readonly left: number;
  readonly perUnit: number;
}

function barRow({ label, figure, ours }: Plot["bars"][number], y: number, { left, perUnit }: Scale): string {
  const place = (value: number): number => Math.round(value * perUnit * 10) / 10;
  const middle = y + BAR / 2;
  const [from, to] = [left + place(figure.min), left + place(figure.max)];
  const text = formatFigure({ ...figure, unit: "" });
  return [
    `<text${ours ? ' class="ours-label"' : ""} x="0" y="${middle + 4.5}">${escape(label)}</text>`,
    `<rect class="${ours ? "ours" : "bar"}" x="${left}" y="${y}" width="${place(figure.median)}" height="${BAR}" rx="2"/>`,
    `<path class="whisker" fill="none" d="M${from} ${middle}H${to}M${from} ${middle - 4}v8M${to} ${middle - 4}v8"/>`,
    `<text${ours ? ' class="ours-label"' : ""} x="${Math.max(to, left + place(figure.median)) + 8}" y="${middle + 4.5}">${escape(text)}</text>`,
  ].join("\n");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

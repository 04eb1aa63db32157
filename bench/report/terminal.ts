import type { PartResult, Table } from "../part.ts";
import { formatBound, formatCell, formatFigure, isReached } from "./format.ts";

/** The tables and targets of a part, for whoever is at the terminal. */
export function printResult({ tables, targets, notes }: PartResult, say: (line: string) => void): void {
  for (const table of tables) printTable(table, say);
  for (const target of targets) {
    say(
      `  ${isReached(target) ? "reached    " : "NOT REACHED"} ${target.what}: ${formatFigure(target.ratio)}, ${formatBound(target)}`,
    );
  }
  for (const note of notes) say(`  ${note}`);
  say("");
}

function printTable({ title, columns, rows }: Table, say: (line: string) => void): void {
  const cells = [columns, ...rows.map((row) => row.map(formatCell))];
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  say(`\n  ${title}`);
  for (const row of cells) say(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd());
}

import type { PartResult, Table } from "../part.ts";
import { formatBound, formatCell, formatFigure, isReached } from "./format.ts";

/** Prints the tables and targets of a part on the terminal. */
export function printResult({ tables, targets, notes }: PartResult, print: (line: string) => void): void {
  for (const table of tables) printTable(table, print);
  for (const target of targets) {
    print(
      `  ${isReached(target) ? "reached    " : "NOT REACHED"} ${target.what}: ${formatFigure(target.ratio)}, ${formatBound(target)}`,
    );
  }
  for (const note of notes) print(`  ${note}`);
  print("");
}

function printTable({ title, columns, rows }: Table, print: (line: string) => void): void {
  const cells = [columns, ...rows.map((row) => row.map(formatCell))];
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  print(`\n  ${title}`);
  for (const row of cells)
    print(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd());
}

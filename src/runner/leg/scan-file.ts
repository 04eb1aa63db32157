/** Reads the file in which a DETECT hook wrote what it found. */
import { rm } from "node:fs/promises";
import { z } from "zod";
import { LIMITS } from "../../model/kit/limits.ts";
import { SCAN_STATUSES, type ScanResult } from "../../model/run/scan.ts";
import { DEPLOY_SHAPES } from "../../model/workspace/deploy-shape.ts";
import type { JobFolder } from "../job/job-folder.ts";
import { readableLines, utf8Prefix } from "../log/log-text.ts";
import type { Masker } from "../mask/masker.ts";

type ScanFolder = Pick<JobFolder, "scanFile" | "readFromEngine">;

const bounded = (bytes: number) =>
  z.string().refine((text) => Buffer.byteLength(text) <= bytes, `must have at most ${bytes} bytes`);
const word = z.string().transform((text) => text.toUpperCase().replaceAll("-", "_"));

const scanSchema = z.strictObject({
  shape: word
    .pipe(z.enum(DEPLOY_SHAPES, `must be one of ${DEPLOY_SHAPES.join(", ")}`))
    .nullish()
    .transform((shape) => shape ?? null),
  hasStartCommand: z
    .boolean()
    .nullish()
    .transform((has) => has ?? null),
  units: z.array(bounded(LIMITS.scanUnitBytes).min(1)).max(LIMITS.scanUnits).default([]),
  build: word.pipe(z.enum(SCAN_STATUSES, "must be passed, failed or skipped")).default("SKIPPED"),
  summary: bounded(LIMITS.scanSummaryBytes)
    .nullish()
    .transform((text) => text ?? null),
});

/** Removes what an earlier hook wrote. */
export function clearScan({ scanFile }: Pick<JobFolder, "scanFile">): Promise<void> {
  return rm(scanFile, { recursive: true, force: true });
}

/** Returns the scan, masked; `null` if the hook wrote none. Or the reason why it cannot be taken. */
export async function readScan(
  folder: ScanFolder,
  masker: Masker,
): Promise<{ scan: ScanResult | null } | { problem: string }> {
  let body: Buffer | undefined;
  try {
    body = await folder.readFromEngine(folder.scanFile, LIMITS.scanFileBytes);
  } catch {
    return { problem: `it must be a file of at most ${LIMITS.scanFileBytes} bytes` };
  }
  if (body === undefined) return { scan: null };
  const parsed = scanSchema.safeParse(parse(body));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join(".") ?? "";
    return { problem: `${path === "" ? "it" : path}: ${issue?.message ?? "is malformed"}` };
  }
  const { shape, hasStartCommand, units, build, summary } = parsed.data;
  const shown = (text: string, bytes: number): string => {
    return utf8Prefix(masker.mask(readableLines(text).join("\n").trim()), bytes);
  };
  return {
    scan: {
      status: build,
      shape,
      hasStartCommand,
      units: units.map((unit) => shown(unit, LIMITS.scanUnitBytes)),
      summary: summary === null ? null : shown(summary, LIMITS.scanSummaryBytes),
    },
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

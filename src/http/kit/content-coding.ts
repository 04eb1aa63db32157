import type { Transform } from "node:stream";
import { createGzip, createZstdCompress } from "node:zlib";

/** The ways to compress an answer, the best first. */
export const CONTENT_CODINGS = ["zstd", "gzip"] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** Chooses the coding that an Accept-Encoding header prefers; null: no compression. */
export function chooseCoding(header: string | undefined): ContentCoding | null {
  const weights = new Map<string, number>();
  for (const part of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get("*") ?? 0;
  const [best] = CONTENT_CODINGS.toSorted((a, b) => weightOf(b) - weightOf(a));
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0) ? best : null;
}

export function createCompressor(coding: ContentCoding): Transform {
  return coding === "zstd" ? createZstdCompress() : createGzip();
}

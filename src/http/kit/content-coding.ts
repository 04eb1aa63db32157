import type { Transform } from "node:stream";
import { createGzip, createZstdCompress } from "node:zlib";

/** How an answer can be compressed, the best first. */
export const CONTENT_CODINGS = ["zstd", "gzip"] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** What an Accept-Encoding header likes most of what there is; null: as it is. */
export function chooseCoding(header: string | undefined): ContentCoding | null {
  const liked = new Map<string, number>();
  for (const part of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    liked.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (name: string): number => liked.get(name) ?? liked.get("*") ?? 0;
  const [best] = CONTENT_CODINGS.toSorted((a, b) => weightOf(b) - weightOf(a));
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= (liked.get("identity") ?? 0) ? best : null;
}

export function createCompressor(coding: ContentCoding): Transform {
  return coding === "zstd" ? createZstdCompress() : createGzip();
}

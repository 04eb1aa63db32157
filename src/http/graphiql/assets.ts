import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip, zstdCompress } from "node:zlib";
import type { ContentCoding } from "../kit/content-coding.ts";

/** A file that the page of GraphiQL loads. Its address changes with its content. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly tag: string;
  /** The bytes in this coding, compressed once. */
  body(coding: ContentCoding | null): Promise<Buffer>;
}

export interface GraphiqlAssets {
  readonly start: Asset;
  readonly script: Asset;
  readonly style: Asset;
  readonly icon: Asset;
  readonly editorWorker: Asset;
  readonly jsonWorker: Asset;
  readonly graphqlWorker: Asset;
}

const SCRIPT = "text/javascript; charset=utf-8";
const compress: Record<ContentCoding, (bytes: Buffer) => Promise<Buffer>> = {
  gzip: promisify(gzip),
  zstd: promisify(zstdCompress),
};

/** Loads the files, nine megabytes of text. It is called for the first page, so that a start does without them. */
export async function loadAssets(): Promise<GraphiqlAssets> {
  const [graphiql, start] = await Promise.all([
    import("@graphql-yoga/render-graphiql/graphiql"),
    readFile(new URL("start.js", import.meta.url)),
  ]);
  return {
    start: createAsset("start.js", SCRIPT, start),
    script: createAsset("graphiql.js", SCRIPT, Buffer.from(graphiql.js)),
    style: createAsset("graphiql.css", "text/css; charset=utf-8", Buffer.from(graphiql.css)),
    icon: createAsset("favicon.ico", "image/x-icon", Buffer.from(graphiql.favicon.replace(/^.*,/, ""), "base64")),
    editorWorker: createAsset("editor.worker.js", SCRIPT, Buffer.from(graphiql.editorWorkerService)),
    jsonWorker: createAsset("json.worker.js", SCRIPT, Buffer.from(graphiql.jsonWorker)),
    graphqlWorker: createAsset("graphql.worker.js", SCRIPT, Buffer.from(graphiql.graphqlWorker)),
  };
}

function createAsset(name: string, type: string, bytes: Buffer): Asset {
  const tag = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  const compressed = new Map<ContentCoding, Promise<Buffer>>();
  return {
    path: `/graphiql/${tag}/${name}`,
    type,
    tag,
    async body(coding) {
      if (coding === null) return bytes;
      const known = compressed.get(coding) ?? compress[coding](bytes);
      compressed.set(coding, known);
      return known;
    },
  };
}

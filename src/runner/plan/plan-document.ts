/** Makes the document of a plan that the server stores: the engine's description, masked, and what hooks added. */
import type { Json } from "../../model/plan/json.ts";
import { sensitiveInRoot } from "./document-configuration.ts";
import { DocumentMask, type DocumentMaskOptions } from "./document-mask.ts";
import { DOCUMENT_CUTS, planPieces } from "./document-pieces.ts";
import { objectPieces, type Pieces, valuePieces } from "./json-pieces.ts";
import type { PlanTree } from "./plan-tree.ts";
import { collectMarks } from "./resource-marks.ts";
import { ZstdText } from "./zstd-text.ts";

export interface DocumentOptions extends DocumentMaskOptions {
  /** The most bytes of the plan, before compression. */
  mostBytes: number;
  /** Variables of the root module whose values are secret by the workspace's settings. */
  secretVariables: readonly string[];
}

/** The objects that hooks give beside the plan, by key. `lost`: names of parts that could not be taken. */
export interface CustomInput {
  values: Readonly<Record<string, Json>>;
  lost: readonly string[];
}

export interface FinishedDocument {
  /** JSON with the keys `plan` and `custom`, compressed by zstd. */
  body: Buffer<ArrayBuffer>;
  /** Names of the parts that were left out. */
  truncated: string[];
}

/** A document whose plan is compressed already, so that the plan itself can be forgotten. */
export class PlanDocument implements Disposable {
  readonly #text: ZstdText;
  readonly #mask: DocumentMask;
  /** Names of parts of the plan that were left out. */
  readonly cuts: readonly string[];

  private constructor(text: ZstdText, mask: DocumentMask, cuts: readonly string[]) {
    this.#text = text;
    this.#mask = mask;
    this.cuts = cuts;
  }

  /** Masks a plan and compresses it, without as many parts as it takes to fit. `null` if it is too large without them. */
  static async begin(plan: PlanTree, options: DocumentOptions): Promise<PlanDocument | null> {
    const mask = new DocumentMask(options);
    const hidden = new Set([...sensitiveInRoot(plan, "variables"), ...options.secretVariables]);
    const facts = { mask, marks: collectMarks(plan), hidden };
    for (let count = 0; count <= DOCUMENT_CUTS.length; count += 1) {
      const cuts = DOCUMENT_CUTS.slice(0, count);
      const text = new ZstdText();
      const pieces = begun(planPieces(plan, { ...facts, cuts: new Set(cuts) }));
      if (await text.write(pieces, options.mostBytes)) return new PlanDocument(text, mask, cuts);
      text[Symbol.dispose]();
    }
    return null;
  }

  /** Adds the custom input and ends the document. */
  async finish({ values, lost }: CustomInput): Promise<FinishedDocument> {
    const custom = Object.entries(values).map(([key, value]): [string, Pieces] => [
      key,
      valuePieces(this.#mask.value(value)),
    ]);
    await this.#text.write(ended(objectPieces(custom)), Number.POSITIVE_INFINITY);
    const truncated = [...this.cuts, ...(this.#mask.hasCut ? ["deep_values"] : []), ...lost];
    return { body: await this.#text.end(), truncated };
  }

  [Symbol.dispose](): void {
    this.#text[Symbol.dispose]();
  }
}

function* begun(plan: Pieces): Generator<string> {
  yield '{"plan":';
  yield* plan;
}

function* ended(custom: Pieces): Generator<string> {
  yield ',"custom":';
  yield* custom;
  yield "}";
}

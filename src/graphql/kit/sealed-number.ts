import { createCipheriv, createDecipheriv } from "node:crypto";
import type { GraphqlContext } from "./context.ts";
import type { ReadPosition } from "./cursor.ts";

/** Positions of one list that are numbers of the whole installation, in a form that shows nothing about them. */
export interface SealedNumbers {
  seal(position: number): string;
  read: ReadPosition<number>;
}

/** One block of AES: zeros, which an invented block does not have, and the number. */
const BLOCK = 16;
const NUMBER = 6;
const ZEROS = Buffer.alloc(BLOCK - NUMBER);
const SEALED = /^[\w-]{22}$/;

/** Seals the positions of a list: the gaps between plain ones would show how much happens elsewhere. */
export function sealedNumbers(keyOf: GraphqlContext["cursorKeyOf"], list: string): SealedNumbers {
  const key = keyOf(list);
  return {
    seal(position) {
      const block = Buffer.alloc(BLOCK);
      block.writeUIntBE(position, ZEROS.length, NUMBER);
      // One block at a time under a key of its own: the mode without chaining is the block cipher itself.
      return createCipheriv("aes-256-ecb", key, null).update(block).toString("base64url");
    },
    read(value) {
      if (typeof value !== "string" || !SEALED.test(value)) return null;
      const block = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false).update(value, "base64url");
      return block.subarray(0, ZEROS.length).equals(ZEROS) ? block.readUIntBE(ZEROS.length, NUMBER) : null;
    },
  };
}

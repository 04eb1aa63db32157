import type { InputFields } from "./builder.ts";

/** Builds the field with the idempotency key of an input that creates a run. */
export function idempotencyKeyInput(t: InputFields) {
  return t.string({
    description:
      "An idempotency key, unique per workspace and caller. A repeated request with the same key within 24 hours returns the first run.",
  });
}

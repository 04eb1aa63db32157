import { isJson } from "../../model/kit/exact-json.ts";
import type { Json } from "../../model/plan/json.ts";
import type { Masker } from "../mask/masker.ts";

/** Masks texts, numbers whose digits are a sensitive value, and keys that hold a declared secret. */
export function maskJson(value: Json, masker: Masker): Json {
  if (typeof value === "string") return masker.mask(value);
  if (typeof value === "number") {
    const text = String(value);
    const masked = masker.mask(text);
    return masked === text ? value : masked;
  }
  if (Array.isArray(value)) return value.map((item) => maskJson(item, masker));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [masker.maskName(key), maskJson(item, masker)]));
}

export function asJson(value: unknown): Json | undefined {
  return isJson(value) ? value : undefined;
}

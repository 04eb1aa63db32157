/** Sorts the metadata of a run by key. */
import type { MetadataEntry } from "../../domain/kit/metadata-entry.ts";
import { builder } from "./builder.ts";

export const MetadataEntryRef = builder.objectRef<MetadataEntry>("MetadataEntry").implement({
  description: "An entry of the metadata of a run.",
  fields: (t) => ({
    key: t.exposeString("key", { description: "The key, unique within the run." }),
    value: t.exposeString("value", { description: "The value." }),
  }),
});

export const MetadataEntryInputRef = builder.inputType("MetadataEntryInput", {
  description: "An entry of the metadata of a run, such as its pull request.",
  fields: (t) => ({
    key: t.string({ required: true, description: "The key: 1 to 100 characters on one line." }),
    value: t.string({ required: true, description: "The value: at most 1,000 characters." }),
  }),
});

export function toEntries(metadata: Readonly<Record<string, string>>): MetadataEntry[] {
  return Object.entries(metadata)
    .map(([key, value]) => ({ key, value }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

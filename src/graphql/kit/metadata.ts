/** What is noted with a run, in the order of its keys. */
import type { MetadataEntry } from "../../domain/kit/metadata-entry.ts";
import { builder } from "./builder.ts";

export const MetadataEntryRef = builder.objectRef<MetadataEntry>("MetadataEntry").implement({
  description: "Something that was noted with a run, for whoever looks for it later.",
  fields: (t) => ({
    key: t.exposeString("key", { description: "What it is called; unique within the run." }),
    value: t.exposeString("value", { description: "What it is." }),
  }),
});

export const MetadataEntryInputRef = builder.inputType("MetadataEntryInput", {
  description: "Something to be noted with a run, such as the pull request that it belongs to.",
  fields: (t) => ({
    key: t.string({ required: true, description: "What it is called: 1 to 100 characters on one line." }),
    value: t.string({ required: true, description: "What it is: at most 1,000 characters." }),
  }),
});

export function toEntries(metadata: Readonly<Record<string, string>>): MetadataEntry[] {
  return Object.entries(metadata)
    .map(([key, value]) => ({ key, value }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

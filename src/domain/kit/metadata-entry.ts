/** Something that is noted with a run, for whoever looks for it later. */
export interface MetadataEntry {
  key: string;
  value: string;
}

/** A key and a value that are stored with a run, by which runs can be found. */
export interface MetadataEntry {
  key: string;
  value: string;
}

/** A pair of key and value that is stored with a run, so that it can be found again. */
export interface MetadataEntry {
  key: string;
  value: string;
}

import type { Deps } from "../domain/kit/deps.ts";
import { sweepUploads } from "../domain/source/upload-source.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { startLoop } from "./loop.ts";

/** Removes uploads that nobody uses, and objects of a bucket that nobody points to. */
export function startUploadSweeper(deps: Deps): AsyncDisposable {
  return startLoop({
    everyMs: LIMITS.uploadSweepMs,
    work: async (signal) => {
      await sweepUploads(deps);
      await deps.blobs.sweep(signal);
    },
    onError: (error) => deps.reportError(error, "the upload sweeper"),
  });
}

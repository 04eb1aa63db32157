declare module "s3rver" {
  import type { RequestListener } from "node:http";
  /** As far as test/support/bucket.ts needs it. */
  export default class S3rver {
    constructor(options: { silent: boolean; directory: string; configureBuckets: { name: string }[] });
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
    logger: { exceptions: { unhandle(): void }; close(): void };
  }
}

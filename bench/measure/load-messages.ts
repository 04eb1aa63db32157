/** Messages between load.ts and its process. */

export interface LoadOptions {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in turns. */
  readonly bodies: readonly string[];
  /** With what each answer's body must begin. */
  readonly expects: string;
  readonly connections: number;
  readonly ms: number;
}

export type LoadReply =
  | {
      readonly type: "done";
      readonly requests: number;
      readonly seconds: number;
      /** Milliseconds. */
      readonly p50: number;
      readonly p99: number;
      /** Bytes of the bodies of all answers. */
      readonly bytes: number;
    }
  | { readonly type: "failed"; readonly message: string };

import { type Kysely, sql } from "kysely";

/** disk_full, and io_error with the operating system's ENOSPC. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "53100" || (error.code === "58030" && /No space left on device/.test(error.message));
}

/** Remembers that the disk was full, until a probe could write again. */
export interface DiskState {
  noteFull(): void;
  /** Writes a probe if the disk was full; otherwise it costs nothing. */
  isFull(): Promise<boolean>;
}

export function createDiskState<Tables>(db: Kysely<Tables>): DiskState {
  let wasFull = false;
  return {
    noteFull() {
      wasFull = true;
    },
    async isFull() {
      if (wasFull) wasFull = !(await canWrite(db));
      return wasFull;
    },
  };
}

/** More than the free space of any existing page, and gone with the end of the transaction. */
const PROBE_BYTES = 1024 * 1024;

async function canWrite<Tables>(db: Kysely<Tables>): Promise<boolean> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql`
        create temp table disk_probe on commit drop as
          select repeat(gen_random_uuid()::text, 30) as body from generate_series(1, ${PROBE_BYTES / 1024})
      `.execute(tx);
    });
    return true;
  } catch {
    return false;
  }
}

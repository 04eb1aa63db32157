import { Ago } from "../parts/time.tsx";

/** The progress of a run, as far as it is known. */
export interface ShownProgress {
  readonly done: number;
  readonly total?: number | null;
  readonly estimatedEndAt?: string | null;
}

/** How much of the work of a run is done, and its expected end; nothing if neither is known. */
export function Progress({ of, progress }: { of: string; progress: ShownProgress | null | undefined }) {
  if (progress == null) return null;
  const { done, total, estimatedEndAt } = progress;
  return (
    <>
      {total != null && (
        <>
          <progress max={total} value={done} aria-label={`Progress of ${of}`} />
          <span>
            {done} of {total}
          </span>
        </>
      )}
      {estimatedEndAt != null && (
        <span className="quiet">
          ends <Ago at={estimatedEndAt} />
        </span>
      )}
    </>
  );
}

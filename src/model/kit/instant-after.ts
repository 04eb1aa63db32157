/** Returns the instant that lies `ms` milliseconds after another one, or before it if negative; both as RFC 3339. */
export function instantAfter(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}
